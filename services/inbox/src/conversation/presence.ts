import {
  FollowPresence,
  UnfollowPresence,
  type SubscribePresence,
  type UnsubscribePresence,
} from '@messaging-gateway/contracts';
import type { InputOf, RequestContext } from '@messaging-gateway/service';
import { findConversation } from './finding.ts';
import type { ConversationTools } from './tools.ts';

/** How long presence is told of a chat unless the request says it, minutes. */
const dayMinutes = 1_440;

/** `POST /conversations/:id/presence/subscribe`: whoever holds the profile follows the chat. @throws Refused NOT_FOUND, ENGINE_UNSUPPORTED */
export async function subscribePresence(
  tools: ConversationTools,
  { params, body, caller, context }: InputOf<typeof SubscribePresence>,
): Promise<{ conversationId: string; jid: string; expiresAt: string }> {
  const { id: conversationId, profile_id: profileId, jid } = await findConversation(tools, params.id, caller);
  const { organizationId } = caller;
  const minutes = body?.expiresInMinutes ?? dayMinutes;
  const { expiresAt } = await tools.ask(
    FollowPresence,
    { organizationId, profileId, conversationId, chat: jid, minutes },
    asking(context),
  );
  return { conversationId, jid, expiresAt };
}

export async function unsubscribePresence(
  tools: ConversationTools,
  { params, caller, context }: InputOf<typeof UnsubscribePresence>,
): Promise<void> {
  const { id: conversationId, profile_id: profileId } = await findConversation(tools, params.id, caller);
  const { organizationId } = caller;
  await tools.ask(UnfollowPresence, { organizationId, profileId, conversationId }, asking(context));
}

const asking = ({ requestId, traceparent, raised, deadline }: RequestContext) => ({
  requestId,
  traceparent,
  raised,
  deadline,
});
