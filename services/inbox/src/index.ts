import type { ServiceModule } from '@messaging-gateway/service';
import type { InboxSettings } from './config.ts';
import { acquaintances } from './contact/acquaintances.ts';
import { waitingChangeStream, waitingChangesView } from './change/waiting-change.ts';
import { waitingChanges } from './change/waiting-changes.ts';
import { contactStream } from './contact/contact.ts';
import { contactsView } from './contact/contacts-view.ts';
import { addressBook } from './conversation/address-book.ts';
import { aliasesView } from './conversation/aliases-view.ts';
import { conversationStream } from './conversation/conversation.ts';
import { conversationsView } from './conversation/conversations-view.ts';
import { groupNameStream, groupNamesView } from './group/group-name.ts';
import { doomedMedia } from './media/doomed-media.ts';
import { messageStream } from './message/message.ts';
import { messagePlacesView, messagesView } from './message/messages-view.ts';
import { responsesView } from './message/responses-view.ts';
import { messagesConversations } from './migrations/0001-messages-conversations.ts';
import { contacts } from './migrations/0002-contacts.ts';
import { changesAndOrder } from './migrations/0003-changes-and-order.ts';
import { countsOfConversations } from './migrations/0005-counts-of-conversations.ts';
import { groupNames } from './migrations/0004-group-names.ts';
import { doomedMediaTable } from './migrations/0006-doomed-media.ts';
import { countsOfUnreadAndContacts } from './migrations/0007-counts-of-unread-and-contacts.ts';
import { placesOfMessages } from './migrations/0008-places-of-messages.ts';
import { ownNumbers } from './own-numbers.ts';
import { inboxService } from './service.ts';

export { inboxSettings } from './config.ts';
export type { InboxSettings } from './config.ts';

/** Stored messages, conversations and contacts. */
export const inbox: ServiceModule<InboxSettings> = {
  name: 'inbox',
  storage: {
    schema: 'inbox',
    streams: [messageStream, waitingChangeStream, conversationStream, contactStream, groupNameStream],
    inlineViews: [
      messagesView,
      messagePlacesView,
      responsesView,
      waitingChangesView,
      conversationsView,
      aliasesView,
      contactsView,
      groupNamesView,
    ],
    guards: [],
  },
  migrations: [
    messagesConversations,
    contacts,
    changesAndOrder,
    groupNames,
    countsOfConversations,
    doomedMediaTable,
    countsOfUnreadAndContacts,
    placesOfMessages,
  ],
  connect: (tools) =>
    inboxService({
      ...tools,
      ownNumbers: ownNumbers(tools),
      addressBook: addressBook(tools),
      acquaintances: acquaintances(tools),
      doomedMedia: doomedMedia(tools),
      waitingChanges: waitingChanges(tools),
    }),
};
