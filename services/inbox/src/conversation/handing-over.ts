import type {
  AnswerOf,
  BodyOf,
  Conversation,
  HandOverChat,
  HandoverConversation,
  ResumeConversation,
} from '@messaging-gateway/contracts';
import { Refused, invalid } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { handOver, handoverMinutes, resume, type Asked } from '../chat/handing-over.ts';
import { askedBy } from '../fact.ts';
import { findConversation, shownConversation, type ConversationRow } from './finding.ts';
import type { ConversationTools } from './tools.ts';

type Shown = Static<typeof Conversation>;
type Input = InputOf<typeof HandoverConversation>;

/**
 * Silences what is automatic in a conversation.
 *
 * @throws Refused VALIDATION_ERROR for a time that has passed, and without one where the profile gives none
 */
export async function handOverConversation(tools: ConversationTools, input: Input): Promise<Shown> {
  const { caller, params } = input;
  const found = await findConversation(tools, params.id, caller);
  await handOver(tools, whichOf(found), await askedFor(tools, input, found), optionsOf(input, found));
  return shownConversation(tools, found.id, caller);
}

async function askedFor(tools: ConversationTools, { body, caller }: Input, found: ConversationRow): Promise<Asked> {
  const now = tools.clock.now();
  if (body?.until !== undefined) {
    const until = Date.parse(body.until);
    if (until <= now) throw fault('must be in the future');
    return { until: new Date(until).toISOString() };
  }
  const minutes = await handoverMinutes(tools, found.profile_id, caller.organizationId);
  if (minutes === 0) throw fault("is needed: the profile's handoverMinutes are 0");
  return { atLeast: new Date(now + minutes * 60_000).toISOString() };
}

const fault = (message: string): Refused => invalid([{ path: 'body.until', message }]);

/** Lets what is automatic answer again. */
export async function resumeConversation(
  tools: ConversationTools,
  input: InputOf<typeof ResumeConversation>,
): Promise<Shown> {
  const { caller, params } = input;
  const found = await findConversation(tools, params.id, caller);
  await resume(tools, whichOf(found), optionsOf(input, found));
  return shownConversation(tools, found.id, caller);
}

const whichOf = ({ id: conversationId, profile_id: profileId }: ConversationRow) => ({ conversationId, profileId });

const optionsOf = (
  { caller, context }: Pick<Input, 'caller' | 'context'>,
  { profile_id: profileId }: ConversationRow,
) => ({
  metadata: askedBy(caller, context, profileId),
  onAppended: context.appended,
});

/** Of a profile whose chats are not silenced by the phone; minutes. */
const otherwise = 60;

/** Leaves a chat to a human on behalf of another service: a flow that ends so. @throws Refused NOT_FOUND */
export async function handOverChat(
  tools: ConversationTools,
  { organizationId, conversationId, actor, once }: BodyOf<typeof HandOverChat>,
): Promise<AnswerOf<typeof HandOverChat>> {
  const [found] = await tools.sql.query<Pick<ConversationRow, 'id' | 'profile_id'>>(
    `SELECT id, profile_id FROM conversations
      WHERE id = coalesce((SELECT conversation_id FROM conversation_aliases WHERE id = $1), $1) AND organization_id = $2`,
    [conversationId, organizationId],
  );
  if (found === undefined) throw new Refused('NOT_FOUND', 'There is no such conversation.');
  const { id, profile_id: profileId } = found;
  const minutes = (await handoverMinutes(tools, profileId, organizationId)) || otherwise;
  const now = tools.clock.now();
  const metadata = { organizationId, profileId, subject: `organization:${organizationId}`, actor };
  const until = await handOver(
    tools,
    { conversationId: id, profileId },
    { atLeast: new Date(now + minutes * 60_000).toISOString() },
    { metadata, once: `handover ${once}` },
  );
  return { until: until ?? null };
}
