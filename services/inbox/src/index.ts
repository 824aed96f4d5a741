import type { ServiceModule } from '@messaging-gateway/service';
import type { InboxSettings } from './config.ts';
import { addressBook } from './conversation/address-book.ts';
import { aliasesView } from './conversation/aliases-view.ts';
import { conversationStream } from './conversation/conversation.ts';
import { conversationsView } from './conversation/conversations-view.ts';
import { messageStream } from './message/message.ts';
import { messagesView } from './message/messages-view.ts';
import { messagesConversations } from './migrations/0001-messages-conversations.ts';
import { ownNumbers } from './own-numbers.ts';
import { inboxService } from './service.ts';

export type { InboxSettings } from './config.ts';

/** Stored messages and conversations. */
export const inbox: ServiceModule<InboxSettings> = {
  name: 'inbox',
  storage: {
    schema: 'inbox',
    streams: [messageStream, conversationStream],
    inlineViews: [messagesView, conversationsView, aliasesView],
    guards: [],
  },
  entities: [],
  migrations: [messagesConversations],
  connect: (tools) => inboxService({ ...tools, ownNumbers: ownNumbers(tools), addressBook: addressBook(tools) }),
};
