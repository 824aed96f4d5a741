import type {
  BodyOf,
  DeleteForEveryone,
  MessageContentOf,
  SendReaction,
  SendReply,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { answer, type OperationInput } from '@messaging-gateway/service';
import { type Compose, type SendFields, jidOf } from '../composing/composer.ts';
import { targetOf, type Targets } from '../composing/targets.ts';
import type { Sending } from './sending.ts';
import type { SendAnswer } from './send-order.ts';

export interface SendRoutesParts {
  readonly compose: Compose;
  readonly targets: Targets;
  readonly sending: Pick<Sending, 'send'>;
  readonly clock: Clock;
}

type MessageBody = SendFields & { readonly profileId: string; readonly to: string };

/** Phones heed a deletion for everyone that comes so long after the message, milliseconds: two days and twelve hours. */
const deletionWindow = 60 * 3_600_000;

/** The routes that send: each reads its body into a draft, and nothing else. */
export function sendRoutes({ compose, targets, sending, clock }: SendRoutesParts) {
  /** `POST /messages/<type>` */
  const message =
    (type: MessageContentOf['type']) =>
    async ({ body, caller, context }: OperationInput<MessageBody>): Promise<unknown> => {
      const { profileId, to, ...fields } = body;
      const asked = { profileId, caller, context };
      const read = async () => ({
        to: jidOf(to, 'body.to'),
        ...(await compose(type, fields, { ...asked, path: 'body' })),
      });
      return replyOf(await sending.send(asked, read));
    };

  /** A text message into the chat of the message that it answers. */
  const reply = async ({ body, caller, context }: OperationInput<BodyOf<typeof SendReply>>): Promise<unknown> => {
    const { profileId, ...fields } = body;
    const asked = { profileId, caller, context };
    const read = async () => {
      const { chat: to } = await targets.find(body.quotedMessageId, profileId, caller, context);
      return { to, ...(await compose('text', fields, { ...asked, path: 'body' })) };
    };
    return replyOf(await sending.send(asked, read));
  };

  const reaction = async ({ body, caller, context }: OperationInput<BodyOf<typeof SendReaction>>): Promise<unknown> => {
    const { profileId, messageId, emoji } = body;
    const read = async () => {
      const found = await targets.find(messageId, profileId, caller, context);
      return { to: found.chat, content: { type: 'reaction', content: { emoji }, target: targetOf(found) } } as const;
    };
    return replyOf(await sending.send({ profileId, caller, context }, read));
  };

  /** Answers the deleted message's id: the deletion itself is no resource. */
  const deletion = async ({
    body,
    caller,
    context,
  }: OperationInput<BodyOf<typeof DeleteForEveryone>>): Promise<unknown> => {
    const { profileId, messageId } = body;
    const read = async () => {
      const found = await targets.find(messageId, profileId, caller, context);
      if (!found.fromMe) throw notDeletable('was not sent by the profile');
      if (found.sentAt !== undefined && clock.now() - Date.parse(found.sentAt) > deletionWindow)
        throw notDeletable('was sent too long ago: phones heed a deletion within 60 hours');
      return { to: found.chat, content: { type: 'delete', content: {}, target: targetOf(found) } } as const;
    };
    return replyOf(
      about(messageId, await sending.send({ profileId, caller, context }, read).catch(refusedAbout(messageId))),
    );
  };

  return { message, reply, reaction, deletion };
}

const notDeletable = (message: string): Refused =>
  new Refused('CONFLICT', `The message cannot be deleted for everyone: it ${message}.`, [
    { path: 'body.messageId', message },
  ]);

/** A refusal names the deleted message as well. */
const refusedAbout =
  (messageId: string) =>
  (error: unknown): never => {
    if (!(error instanceof Refused) || !hasMessageId(error.details)) throw error;
    throw new Refused(error.code, error.message, { ...error.details, messageId }, error.headers);
  };

const hasMessageId = (details: unknown): details is { readonly messageId: string } =>
  typeof details === 'object' && details !== null && 'messageId' in details;

function about(messageId: string, { sent, queued }: SendAnswer): SendAnswer {
  if (queued !== undefined) return { queued: { ...queued, messageId } };
  return sent === undefined ? {} : { sent: { ...sent, messageId } };
}

/** What a client is told, as the answer of a route. */
const replyOf = ({ sent, queued }: SendAnswer): unknown => (queued === undefined ? sent : answer(202, queued));
