import {
  AddContactTags,
  ConnectionReady,
  CreateContact,
  DeleteContact,
  FindMessage,
  GetContact,
  GetConversation,
  GetMessage,
  GetUnreadCount,
  ListContacts,
  ListConversationMessages,
  ListConversations,
  ListMessagesOfConversation,
  ListProfileMessages,
  MessageAccepted,
  MessageFailed,
  MessageSent,
  MessageStatusChanged,
  ReadConversation,
  RemoveContactTags,
  SessionMessage,
  UpdateContact,
} from '@messaging-gateway/contracts';
import {
  answer,
  gatheringReaction,
  internalOperation,
  operation,
  type ServiceDefinition,
} from '@messaging-gateway/service';
import { addTags, createContact, deleteContact, removeTags, updateContact } from './contact/changing.ts';
import { getContact, listContacts } from './contact/listing.ts';
import { getConversation, listConversations, unreadCount } from './conversation/listing.ts';
import { markRead } from './conversation/marking-read.ts';
import { inOrder } from './message/in-order.ts';
import { partitions } from './message/partitions.ts';
import { getMessage, listConversationMessages, listProfileMessages, quotableMessage } from './message/reading.ts';
import { storeArrived } from './message/receiving.ts';
import { noteFailed, noteSent, noteStatus, storeAccepted } from './message/taking-in.ts';
import { publish } from './publishing.ts';
import type { InboxTools } from './tools.ts';

/**
 * Everything that the inbox does. What outbound tells may be taken in in any order, many events to a write; messages of
 * the network are taken in as they came, since they are told on in that order.
 */
export function inboxService(tools: InboxTools): ServiceDefinition {
  const arrivals = inOrder();
  return {
    name: 'inbox',
    rows: [
      operation(GetMessage, (input) => getMessage(tools, input)),
      operation(ListProfileMessages, (input) => listProfileMessages(tools, input)),
      operation(ListConversationMessages, (input) =>
        listConversationMessages(tools, input.params['conversationId'], input),
      ),
      operation(ListMessagesOfConversation, (input) => listConversationMessages(tools, input.params['id'], input)),
      operation(ListConversations, (input) => listConversations(tools, input)),
      operation(GetUnreadCount, (input) => unreadCount(tools, input)),
      operation(GetConversation, (input) => getConversation(tools, input)),
      operation(ReadConversation, (input) => markRead(tools, input)),
      operation(ListContacts, (input) => listContacts(tools, input)),
      operation(CreateContact, (input) => createContact(tools, input)),
      operation(GetContact, (input) => getContact(tools, input)),
      operation(UpdateContact, (input) => updateContact(tools, input)),
      operation(DeleteContact, (input) => deleteContact(tools, input).then(() => answer(204))),
      operation(AddContactTags, (input) => addTags(tools, input)),
      operation(RemoveContactTags, (input) => removeTags(tools, input)),
      internalOperation(FindMessage, ({ organizationId, messageId }) =>
        quotableMessage(tools, organizationId, messageId),
      ),
      gatheringReaction(MessageAccepted, (data, event) => storeAccepted(tools, data, event)),
      gatheringReaction(MessageSent, (data, event) => noteSent(tools, data, event)),
      gatheringReaction(MessageFailed, (data, event) => noteFailed(tools, data, event)),
      gatheringReaction(MessageStatusChanged, (data, event) => noteStatus(tools, data, event)),
      gatheringReaction(SessionMessage, (data, event) =>
        arrivals(data.profileId, () => storeArrived(tools, data, event)),
      ),
      gatheringReaction(ConnectionReady, async ({ phoneNumber }, { profileId }) => {
        if (profileId !== undefined) tools.ownNumbers.note(profileId, phoneNumber);
      }),
    ],
    publish,
    running: [partitions(tools)],
  };
}
