import { ConnectionReady, ConversationJoined } from '@messaging-gateway/contracts';
import { every, feature, batchedReaction, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import { handoversTable } from './0011-handovers.migration.ts';
import { addressBook } from './address-book.ts';
import { aliasesView, releaseFromThemselves } from './aliases-view.ts';
import { conversationStream } from './conversation.ts';
import { handoversTell } from './handing-over.ts';
import { handoverStream } from './handover.ts';
import { handoversView } from './handovers-view.ts';
import { ownNumbers } from './own-numbers.ts';
import { conversationsHeld } from './personal-data.ts';

/** Who writes to whom: to which conversation an address leads, and the numbers of the profiles themselves. */
export const chats = feature({
  name: 'chats',
  streams: [conversationStream, handoverStream],
  views: [aliasesView, handoversView],
  migrations: [handoversTable],
  tells: [
    handoversTell,
    tells(conversationStream, {
      ConversationJoined: ({ data: { conversationId, profileId, into } }) => [
        publication(ConversationJoined, { conversationId, profileId, into }, profileId),
      ],
    }),
  ],
  connect: (tools: ServiceTools<unknown>) => {
    const numbers = ownNumbers(tools);
    return {
      api: { addressBook: addressBook(tools), ownNumbers: numbers },
      hears: [
        batchedReaction(ConnectionReady, async ({ phoneNumber }, { profileId }) => {
          if (profileId !== undefined) numbers.note(profileId, phoneNumber);
        }),
      ],
      jobs: [every('1h', 'aliases of themselves', () => releaseFromThemselves(tools.sql), { first: 'awaited' })],
      personalData: conversationsHeld,
    };
  },
});
