import {
  AddContactTags,
  ArchiveConversation,
  ClearConversation,
  ConnectionReady,
  CreateContact,
  DeleteContact,
  ExportContactsCsv,
  DeleteConversation,
  DeleteMessage,
  FindMessage,
  GetContact,
  GetConversation,
  GetMessage,
  GetUnreadCount,
  ImportContacts,
  ImportContactsCsv,
  ListContacts,
  ListConversationMessages,
  ListConversations,
  ListMessagesOfConversation,
  ListProfileMessages,
  LoadOlderMessages,
  MarkMessagesRead,
  MessageAccepted,
  MessageFailed,
  MessageSent,
  MessageStatusChanged,
  MuteConversation,
  NamePeople,
  PinConversation,
  ProfileDeleted,
  ReadConversation,
  RemoveContactTags,
  SessionGroupNamed,
  SessionHistory,
  SessionMessage,
  SessionMessageChanged,
  SyncContacts,
  UnarchiveConversation,
  UpdateContact,
  ValidateNumber,
  ValidateNumbers,
} from '@messaging-gateway/contracts';
import {
  answer,
  gatheringReaction,
  internalOperation,
  operation,
  partitioned,
  reaction,
  type ServiceDefinition,
} from '@messaging-gateway/service';
import { addTags, createContact, deleteContact, removeTags, updateContact } from './contact/changing.ts';
import { importCsv } from './contact/csv-importing.ts';
import { exportCsv } from './contact/exporting.ts';
import { importContacts } from './contact/importing.ts';
import { getContact, listContacts } from './contact/listing.ts';
import { contactCounts } from './contact/counts.ts';
import { syncContacts } from './contact/syncing.ts';
import { namePeople } from './contact/naming.ts';
import { validateNumber, validateNumbers } from './contact/number-checks.ts';
import { noteChange } from './change/changing.ts';
import { clear } from './conversation/clearing.ts';
import { conversationCounts, unreadCounts } from './conversation/counts.ts';
import { getConversation, listConversations, unreadCount } from './conversation/listing.ts';
import { markMessagesRead } from './conversation/marking-messages.ts';
import { markRead } from './conversation/marking-read.ts';
import { archive, mute, pin } from './conversation/organising.ts';
import { countKeeping } from './counting/keeping.ts';
import { nameGroup } from './group/group-name.ts';
import { loadOlder } from './message/loading-older.ts';
import { misplaced } from './message/misplaced.ts';
import { messagesByMonth } from './message/partitions.ts';
import { getMessage, listConversationMessages, listProfileMessages, quotableMessage } from './message/reading.ts';
import { storeArrived } from './message/receiving.ts';
import { removeMessage } from './message/removing.ts';
import { noteFailed, noteSent, noteStatus, storeAccepted } from './message/taking-in.ts';
import { inboxData } from './personal-data.ts';
import { sweeping } from './sweeping.ts';
import { publish } from './publishing.ts';
import type { InboxTools } from './tools.ts';

/** Messages of a phone's history that are stored at the same time, over all profiles: nobody waits for them. */
const historyAtOnce = 16;

/**
 * Everything that the inbox does. What outbound tells may be taken in in any order, many events to a write, as may history;
 * messages of the network are taken in as they came, since they are told on in that order.
 */
export function inboxService(tools: InboxTools): ServiceDefinition {
  return {
    name: 'inbox',
    rows: [
      operation(GetMessage, (input) => getMessage(tools, input)),
      operation(ListProfileMessages, (input) => listProfileMessages(tools, input)),
      operation(ListConversationMessages, (input) =>
        listConversationMessages(tools, input.params['conversationId'], input),
      ),
      operation(ListMessagesOfConversation, (input) => listConversationMessages(tools, input.params['id'], input)),
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
      operation(DeleteConversation, (input) => clear(tools, input, true).then(() => answer(204))),
      operation(ClearConversation, (input) => clear(tools, input, false).then(() => answer(204))),
      operation(DeleteMessage, (input) => removeMessage(tools, input).then(() => answer(204))),
      ...ofContacts(tools),
      ...inboxData(tools),
      internalOperation(FindMessage, ({ organizationId, messageId }) =>
        quotableMessage(tools, organizationId, messageId),
      ),
      internalOperation(NamePeople, (body) => namePeople(tools, body)),
      gatheringReaction(MessageAccepted, (data, event) => storeAccepted(tools, data, event)),
      gatheringReaction(MessageSent, (data, event) => noteSent(tools, data, event)),
      gatheringReaction(MessageFailed, (data, event) => noteFailed(tools, data, event)),
      gatheringReaction(MessageStatusChanged, (data, event) => noteStatus(tools, data, event)),
      reaction(SessionMessage, (data, event) => storeArrived(tools, data, event)),
      gatheringReaction(SessionHistory, (data, event) => storeArrived(tools, data, event), historyAtOnce),
      reaction(SessionMessageChanged, (data, event) => noteChange(tools, data, event)),
      gatheringReaction(SessionGroupNamed, (data, event) => nameGroup(tools, data, event)),
      gatheringReaction(ProfileDeleted, ({ profileId }, { organizationId }) =>
        tools.media.deleteAll(`${organizationId}/${profileId}`),
      ),
      gatheringReaction(ConnectionReady, async ({ phoneNumber }, { profileId }) => {
        if (profileId !== undefined) tools.ownNumbers.note(profileId, phoneNumber);
      }),
    ],
    publish,
    running: [],
    jobs: [
      partitioned(tools, 'partitions of messages', [messagesByMonth]),
      sweeping(tools),
      misplaced(tools),
      ...countKeeping(tools, [conversationCounts, unreadCounts, contactCounts]),
      tools.doomedMedia.job,
    ],
  };
}

const ofContacts = (tools: InboxTools): ServiceDefinition['rows'] => [
  operation(ListContacts, (input) => listContacts(tools, input)),
  operation(CreateContact, (input) => createContact(tools, input)),
  operation(GetContact, (input) => getContact(tools, input)),
  operation(UpdateContact, (input) => updateContact(tools, input)),
  operation(DeleteContact, (input) => deleteContact(tools, input).then(() => answer(204))),
  operation(ValidateNumber, (input) => validateNumber(tools, input)),
  operation(ValidateNumbers, (input) => validateNumbers(tools, input)),
  operation(ImportContacts, (input) => importContacts(tools, input)),
  operation(ImportContactsCsv, (input) => importCsv(tools, input)),
  operation(ExportContactsCsv, (input) => exportCsv(tools, input)),
  operation(SyncContacts, (input) => syncContacts(tools, input)),
  operation(AddContactTags, (input) => addTags(tools, input)),
  operation(RemoveContactTags, (input) => removeTags(tools, input)),
];
