import {
  ArchiveConversation,
  ClearConversation,
  DeleteConversation,
  GetConversation,
  GetUnreadCount,
  HandOverChat,
  HandoverConversation,
  ListConversationMessages,
  ListConversations,
  ListMessagesOfConversation,
  LoadOlderMessages,
  MarkMessagesRead,
  MuteConversation,
  PinConversation,
  PreviousMessages,
  ReadConversation,
  ResumeConversation,
  SetDisappearing,
  SubscribePresence,
  UnarchiveConversation,
  UnsubscribePresence,
} from '@messaging-gateway/contracts';
import {
  answer,
  auditedRequests,
  every,
  feature,
  internalOperation,
  operation,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { InboxSettings } from '../config.ts';
import { countKeeping } from '../counting/keeping.ts';
import { messages } from '../message/feature.ts';
import { countsOfConversations } from './0005-counts-of-conversations.migration.ts';
import { countsOfUnreadAndContacts } from './0007-counts-of-unread-and-contacts.migration.ts';
import { messagesNotFailed } from './0010-messages-not-failed.migration.ts';
import { clear, sweepCleared } from './clearing.ts';
import { conversationsView } from './conversations-view.ts';
import { conversationCounts, unreadCounts } from './counts.ts';
import { handOverChat, handOverConversation, resumeConversation } from './handing-over.ts';
import { getConversation, listConversations, unreadCount } from './listing.ts';
import { loadOlder } from './loading-older.ts';
import { markMessagesRead } from './marking-messages.ts';
import { markRead } from './marking-read.ts';
import { listConversationMessages } from './messages.ts';
import { archive, mute, pin } from './organising.ts';
import { previousMessages } from './previous-messages.ts';
import { subscribePresence, unsubscribePresence } from './presence.ts';
import { setDisappearing } from './set-disappearing.ts';
import type { ConversationTools } from './tools.ts';

/** Conversations as people see them: listed, read, archived, muted, pinned, cleared, and counted. */
export const conversations = feature({
  name: 'conversations',
  needs: { messages },
  streams: [auditedRequests],
  views: [conversationsView],
  migrations: [countsOfConversations, countsOfUnreadAndContacts, messagesNotFailed],
  connect: (given: ServiceTools<InboxSettings>, needed) => {
    const tools: ConversationTools = { ...given, doomedMedia: needed.messages };
    return {
      rows: [
        operation(ListConversationMessages, (input) =>
          listConversationMessages(tools, input.params.conversationId, input),
        ),
        operation(ListMessagesOfConversation, (input) => listConversationMessages(tools, input.params.id, input)),
        operation(LoadOlderMessages, (input) => loadOlder(tools, input)),
        operation(ListConversations, (input) => listConversations(tools, input)),
        operation(GetUnreadCount, (input) => unreadCount(tools, input)),
        operation(GetConversation, (input) => getConversation(tools, input)),
        operation(MarkMessagesRead, (input) => markMessagesRead(tools, input)),
        operation(ReadConversation, (input) => markRead(tools, input)),
        operation(ArchiveConversation, (input) => archive(tools, input, true)),
        operation(UnarchiveConversation, (input) => archive(tools, input, false)),
        operation(MuteConversation, (input) => mute(tools, input)),
        operation(PinConversation, (input) => pin(tools, input)),
        operation(SetDisappearing, (input) => setDisappearing(tools, input)),
        operation(HandoverConversation, (input) => handOverConversation(tools, input)),
        operation(ResumeConversation, (input) => resumeConversation(tools, input)),
        internalOperation(HandOverChat, (body) => handOverChat(tools, body)),
        internalOperation(PreviousMessages, (body) => previousMessages(tools, body)),
        operation(SubscribePresence, (input) => subscribePresence(tools, input)),
        operation(UnsubscribePresence, (input) => unsubscribePresence(tools, input).then(() => answer(204))),
        operation(DeleteConversation, (input) => clear(tools, input, true).then(() => answer(204))),
        operation(ClearConversation, (input) => clear(tools, input, false).then(() => answer(204))),
      ],
      jobs: [
        every('1h', 'cleared messages', () => sweepCleared(tools), { first: 'awaited' }),
        ...countKeeping(tools, 'conversations', [conversationCounts, unreadCounts]),
      ],
    };
  },
});
