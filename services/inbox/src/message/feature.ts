import {
  DeleteMessage,
  FindMessage,
  GetMessage,
  ListCountedMessages,
  ListKnownChats,
  ListProfileMessages,
  MessageAccepted,
  MessageFailed,
  MessageSent,
  MessageStatusChanged,
  ProfileDeleted,
  SessionHistory,
  SessionMessage,
  SessionMessageChanged,
} from '@messaging-gateway/contracts';
import {
  answer,
  every,
  feature,
  batchedReaction,
  internalOperation,
  operation,
  partitioned,
  reaction,
  type Job,
  type ReactionRow,
  type ServiceTools,
} from '@messaging-gateway/service';
import { chats } from '../chat/feature.ts';
import type { InboxSettings } from '../config.ts';
import { contacts } from '../contact/feature.ts';
import { messagesConversations } from './0001-messages-conversations.migration.ts';
import { changesAndOrder } from './0003-changes-and-order.migration.ts';
import { doomedMediaTable } from './0006-doomed-media.migration.ts';
import { placesOfMessages } from './0008-places-of-messages.migration.ts';
import { noteChange } from './changing.ts';
import { listCountedMessages } from './counted-messages.ts';
import { doomedMedia } from './doomed-media.ts';
import { listKnownChats } from './known-chats.ts';
import { messageStream } from './message.ts';
import { messagePlacesView, messagesView } from './messages-view.ts';
import { misplaced } from './misplaced.ts';
import { messagesByMonth } from './partitions.ts';
import { messagesHeld } from './personal-data.ts';
import { messagesTell } from './publishing.ts';
import { getMessage, listProfileMessages, quotableMessage } from './reading.ts';
import { storeArrived } from './receiving.ts';
import { removeMessage } from './removing.ts';
import { responsesView } from './responses-view.ts';
import { noteFailed, noteSent, noteStatus, storeAccepted } from './taking-in.ts';
import type { MessageTools } from './tools.ts';
import { waitingChangeStream, waitingChangesView } from './waiting-change.ts';
import { waitingChanges } from './waiting-changes.ts';

/** Messages of a phone's history that are stored at the same time, over all profiles: nobody waits for them. */
const historyAtOnce = 16;
/** So long does a change wait for its message, milliseconds. */
const patienceMs = 7 * 86_400_000;

/** Every message that came or went, with its status, its changes and its media. */
export const messages = feature({
  name: 'messages',
  needs: { chats, contacts },
  streams: [messageStream, waitingChangeStream],
  views: [messagesView, messagePlacesView, responsesView, waitingChangesView],
  migrations: [messagesConversations, changesAndOrder, doomedMediaTable, placesOfMessages],
  tells: [messagesTell],
  connect: (given: ServiceTools<InboxSettings>, needed) => {
    const tools: MessageTools = {
      ...given,
      ...needed.chats,
      acquaintances: needed.contacts,
      doomedMedia: doomedMedia(given),
      waitingChanges: waitingChanges(given),
    };
    return {
      api: tools.doomedMedia,
      rows: [
        operation(GetMessage, (input) => getMessage(tools, input)),
        operation(ListProfileMessages, (input) => listProfileMessages(tools, input)),
        operation(DeleteMessage, (input) => removeMessage(tools, input).then(() => answer(204))),
        internalOperation(ListCountedMessages, (body) => listCountedMessages(tools.sql, body)),
        internalOperation(ListKnownChats, (body) => listKnownChats(tools, body)),
        internalOperation(FindMessage, ({ organizationId, messageId }) =>
          quotableMessage(tools, organizationId, messageId),
        ),
      ],
      hears: heard(tools),
      jobs: [
        partitioned(tools, 'partitions of messages', [messagesByMonth]),
        misplaced(tools),
        waitingNoLonger(tools),
        tools.doomedMedia.job,
      ],
      personalData: messagesHeld(tools),
    };
  },
});

/**
 * Facts of outbound may be taken in in any order, many events to a write, as may history; messages of the network are
 * taken in as they came, since they are told on in that order.
 */
const heard = (tools: MessageTools): readonly ReactionRow[] => [
  batchedReaction(MessageAccepted, (data, event) => storeAccepted(tools, data, event)),
  batchedReaction(MessageSent, (data, event) => noteSent(tools, data, event)),
  batchedReaction(MessageFailed, (data, event) => noteFailed(tools, data, event)),
  batchedReaction(MessageStatusChanged, (data, event) => noteStatus(tools, data, event)),
  reaction(SessionMessage, (data, event) => storeArrived(tools, data, event)),
  batchedReaction(SessionHistory, (data, event) => storeArrived(tools, data, event), historyAtOnce),
  reaction(SessionMessageChanged, (data, event) => noteChange(tools, data, event)),
  batchedReaction(ProfileDeleted, ({ profileId }, { organizationId }) =>
    tools.media.deleteAll(`${organizationId}/${profileId}`),
  ),
];

/** Deletes changes whose messages came or never will. */
const waitingNoLonger = ({ sql, clock }: Pick<MessageTools, 'sql' | 'clock'>): Job =>
  every(
    '1h',
    'changes that waited',
    () =>
      sql.query('DELETE FROM waiting_changes WHERE settled OR created_at < $1', [new Date(clock.now() - patienceMs)]),
    { first: 'awaited' },
  );
