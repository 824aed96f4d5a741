import type { Conversation, HandoverConversation, ResumeConversation } from '@messaging-gateway/contracts';
import { invalid, type Refused } from '@messaging-gateway/messaging';
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
