import type {
  BodyOf,
  DeleteForEveryone,
  MessageContentOf,
  SendReaction,
  SendReply,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { assertProfileAllowed, type OperationInput } from '@messaging-gateway/service';
import type { Compose, SendFields } from '../composing/composer.ts';
import { jidOf } from '../composing/recipients.ts';
import { targetOf, type Targets } from '../composing/targets.ts';
import { replyOf } from './answers.ts';
import type { Reception } from './reception.ts';
import type { SendAnswer } from './send-order.ts';

export interface SendRoutesParts {
  readonly compose: Compose;
  readonly targets: Targets;
  readonly reception: Reception;
  readonly clock: Clock;
}

type MessageBody = SendFields & { readonly profileId: string; readonly to: string };

/** Phones heed a deletion for everyone that comes so long after the message, milliseconds: two days and twelve hours. */
const deletionWindow = 60 * 3_600_000;

/** The routes that send: each reads its body into a draft, and nothing else. */
export function sendRoutes({ compose, targets, reception, clock }: SendRoutesParts) {
  /** `POST /messages/<type>` */
  const message =
    (type: MessageContentOf['type']) =>
    async ({ body, caller, context }: OperationInput<MessageBody>): Promise<unknown> => {
      const { profileId, to: given, ...fields } = body;
      assertProfileAllowed(caller, profileId);
      const to = jidOf(given, 'body.to');
      const composed = await compose(type, fields, { profileId, caller, context, path: 'body' });
      return replyOf(await reception.accept({ profileId, to, ...composed, origin: 'api' }, caller, context));
    };

  /** A text message into the chat of the message that it answers. */
  const reply = async ({ body, caller, context }: OperationInput<BodyOf<typeof SendReply>>): Promise<unknown> => {
    const { profileId, ...fields } = body;
    assertProfileAllowed(caller, profileId);
    const { chat: to } = await targets.find(body.quotedMessageId, profileId, caller, context);
    const composed = await compose('text', fields, { profileId, caller, context, path: 'body' });
    return replyOf(await reception.accept({ profileId, to, ...composed, origin: 'api' }, caller, context));
  };

  const reaction = async ({ body, caller, context }: OperationInput<BodyOf<typeof SendReaction>>): Promise<unknown> => {
    const { profileId, messageId, emoji } = body;
    assertProfileAllowed(caller, profileId);
    const found = await targets.find(messageId, profileId, caller, context);
    const content = { type: 'reaction', content: { emoji }, target: targetOf(found) } as const;
    return replyOf(await reception.accept({ profileId, to: found.chat, content, origin: 'api' }, caller, context));
  };

  /** Answers the deleted message's id: the deletion itself is no resource. */
  const deletion = async ({
    body,
    caller,
    context,
  }: OperationInput<BodyOf<typeof DeleteForEveryone>>): Promise<unknown> => {
    const { profileId, messageId } = body;
    assertProfileAllowed(caller, profileId);
    const found = await targets.find(messageId, profileId, caller, context);
    if (!found.fromMe) throw notDeletable('was not sent by the profile');
    if (!context.repeated && found.sentAt !== undefined && clock.now() - Date.parse(found.sentAt) > deletionWindow)
      throw notDeletable('was sent too long ago: phones heed a deletion within 60 hours');
    const content = { type: 'delete', content: {}, target: targetOf(found) } as const;
    const answer = await reception.accept({ profileId, to: found.chat, content, origin: 'api' }, caller, context);
    return replyOf(about(messageId, answer));
  };

  return { message, reply, reaction, deletion };
}

const notDeletable = (message: string): Refused =>
  new Refused('CONFLICT', `The message cannot be deleted for everyone: it ${message}.`, [
    { path: 'body.messageId', message },
  ]);

function about(messageId: string, { sent, queued }: SendAnswer): SendAnswer {
  if (queued !== undefined) return { queued: { ...queued, messageId } };
  return sent === undefined ? {} : { sent: { ...sent, messageId } };
}
