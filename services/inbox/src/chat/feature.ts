import {
  ConnectionReady,
  ConversationJoined,
  ConversationRead,
  ConversationUpdated,
  SessionDisappearing,
  type DataOf,
} from '@messaging-gateway/contracts';
import {
  every,
  feature,
  batchedReaction,
  publication,
  reaction,
  tells,
  type ServiceTools,
} from '@messaging-gateway/service';
import { chatTimersTable } from './0012-chat-timers.migration.ts';
import { handoversTable } from './0011-handovers.migration.ts';
import { addressBook } from './address-book.ts';
import { chatTimersTell, chatTimerStream, chatTimersView, storeTimer } from './chat-timer.ts';
import { aliasesView, releaseFromThemselves } from './aliases-view.ts';
import { conversationStream } from './conversation.ts';
import { handoversTell } from './handing-over.ts';
import { handoverStream } from './handover.ts';
import { handoversView } from './handovers-view.ts';
import { ownNumbers } from './own-numbers.ts';
import { conversationsHeld } from './personal-data.ts';

type Change = Omit<DataOf<typeof ConversationUpdated>, 'conversationId' | 'profileId'>;

/** For those who look on. */
const updated = (
  { conversationId, profileId }: { readonly conversationId: string; readonly profileId: string },
  change: Change,
) => publication(ConversationUpdated, { conversationId, profileId, ...change }, profileId);

/** Conversations: which one an address leads to, and the numbers of the profiles themselves. */
export const chats = feature({
  name: 'chats',
  streams: [conversationStream, handoverStream, chatTimerStream],
  views: [aliasesView, handoversView, chatTimersView],
  migrations: [handoversTable, chatTimersTable],
  tells: [
    handoversTell,
    chatTimersTell,
    tells(conversationStream, {
      ConversationJoined: ({ data: { conversationId, profileId, into } }) => [
        publication(ConversationJoined, { conversationId, profileId, into }, profileId),
        updated({ conversationId, profileId }, { change: 'joined', into }),
      ],
      ConversationRead: ({ data }) => {
        const { conversationId, profileId, by, count, remaining } = data;
        const isReadOnPhone = by === 'phone' && count > 0 && remaining === 0;
        return [
          updated(data, { change: 'read' }),
          ...(isReadOnPhone ? [publication(ConversationRead, { conversationId }, profileId)] : []),
        ];
      },
      ConversationArchived: ({ data }) => [updated(data, { change: data.archived ? 'archived' : 'unarchived' })],
      ConversationPinned: ({ data }) => [updated(data, { change: data.pinned ? 'pinned' : 'unpinned' })],
      ConversationMuted: ({ data }) => [
        updated(
          data,
          data.muted
            ? { change: 'muted', ...(data.until !== undefined && { until: data.until }) }
            : { change: 'unmuted' },
        ),
      ],
      ConversationCleared: ({ data }) => [updated(data, { change: data.deleted ? 'deleted' : 'cleared' })],
    }),
  ],
  connect: (tools: ServiceTools<unknown>) => {
    const numbers = ownNumbers(tools);
    const addresses = addressBook(tools);
    return {
      api: { addressBook: addresses, ownNumbers: numbers },
      hears: [
        batchedReaction(ConnectionReady, async ({ phoneNumber }, { profileId }) => {
          if (profileId !== undefined) numbers.note(profileId, phoneNumber);
        }),
        reaction(SessionDisappearing, (data, event) =>
          storeTimer({ store: tools.store, addressBook: addresses }, data, event),
        ),
      ],
      jobs: [every('1h', 'aliases of themselves', () => releaseFromThemselves(tools.sql), { first: 'awaited' })],
      personalData: conversationsHeld,
    };
  },
});
