import { SetDisappearingTimer, type Conversation, type SetDisappearing } from '@messaging-gateway/contracts';
import { askHolder, type InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { chatTimerStream } from '../chat/chat-timer.ts';
import { describedProfile } from '../chat/own-numbers.ts';
import { askedBy } from '../fact.ts';
import { findConversation, shownConversation } from './finding.ts';
import type { ConversationTools } from './tools.ts';

/** Sets the timer of disappearing messages on the network, then in the conversation. */
export async function setDisappearing(
  tools: ConversationTools,
  { params, body: { seconds }, caller, context }: InputOf<typeof SetDisappearing>,
): Promise<Static<typeof Conversation>> {
  const { id: conversationId, profile_id: profileId, jid: chat } = await findConversation(tools, params.id, caller);
  const { organizationId } = caller;
  const { requestId, traceparent, deadline } = context;
  const profile = await describedProfile(tools.ask, profileId, organizationId);
  const { at } = await askHolder(
    tools,
    SetDisappearingTimer,
    { organizationId, profileId, chat, seconds },
    { ...(profile !== undefined && { status: profile.status }), requestId, traceparent, deadline },
  );
  const setting = {
    conversationId,
    profileId,
    seconds,
    at,
    ...(profile?.phoneNumber !== undefined && { author: `${profile.phoneNumber}@c.us` }),
    fromMe: true,
  };
  await tools.store.handle(
    chatTimerStream,
    conversationId,
    { type: 'SetTimer', setting },
    { metadata: askedBy(caller, context, profileId), onAppended: context.appended },
  );
  return shownConversation(tools, conversationId, caller);
}
