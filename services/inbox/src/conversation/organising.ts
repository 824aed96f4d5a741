import type {
  Conversation,
  MuteConversation,
  PinConversation,
  ArchiveConversation,
} from '@messaging-gateway/contracts';
import { invalid, type Refused } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { askedBy } from '../fact.ts';
import type { ConversationTools } from './tools.ts';
import { conversationStream, type ConversationCommand } from '../chat/conversation.ts';
import { findConversation, shownConversation } from './finding.ts';

type Shown = Static<typeof Conversation>;
type Asked = Pick<InputOf<typeof ArchiveConversation>, 'params' | 'caller' | 'context'>;
type Which = Pick<ConversationCommand, 'conversationId' | 'profileId'>;

export const archive = (tools: ConversationTools, input: Asked, archived: boolean): Promise<Shown> =>
  change(tools, input, (which) => ({ type: 'Archive', ...which, archived }));

export const pin = (tools: ConversationTools, input: InputOf<typeof PinConversation>): Promise<Shown> =>
  change(tools, input, (which) => ({ type: 'Pin', ...which, ...input.body }));

export async function mute(tools: ConversationTools, input: InputOf<typeof MuteConversation>): Promise<Shown> {
  const { muted, until } = input.body ?? {};
  const now = tools.clock.now();
  if (until !== undefined && muted === false) throw fault('is only for a conversation that is to be muted');
  if (until !== undefined && Date.parse(until) <= now) throw fault('must be in the future');
  const asked = {
    now: new Date(now).toISOString(),
    ...(muted !== undefined && { muted }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  };
  return change(tools, input, (which) => ({ type: 'Mute', ...which, ...asked }));
}

const fault = (message: string): Refused => invalid([{ path: 'body.until', message }]);

async function change(
  tools: ConversationTools,
  { params, caller, context }: Asked,
  commandFor: (which: Which) => ConversationCommand,
): Promise<Shown> {
  const { id: conversationId, profile_id: profileId } = await findConversation(tools, params.id, caller);
  await tools.store.handle(conversationStream, conversationId, commandFor({ conversationId, profileId }), {
    metadata: askedBy(caller, context, profileId),
    onAppended: context.appended,
  });
  return shownConversation(tools, conversationId, caller);
}
