import { SessionReceipt } from '@messaging-gateway/contracts';
import { feature, reaction, type ServiceTools } from '@messaging-gateway/service';
import type { OutboundSettings } from '../config.ts';
import { lanes } from '../lanes/feature.ts';
import { isChange } from '../message/message-events.ts';
import { networkIdMonths, networkIds, networkIdsView } from './network-ids.ts';
import { recordReceipts } from './receipts.ts';

const dayMs = 86_400_000;

/** How far the network says that messages have come, found by what it calls them. */
export const receipts = feature({
  name: 'receipts',
  needs: { lanes },
  views: [networkIdsView],
  connect: (tools: ServiceTools<OutboundSettings>, { lanes: { journal, lanes: all, owners } }) => {
    const ids = networkIds(tools);
    journal.follow(({ events }, { messageId, profileId }) => {
      for (const { type, data } of events)
        if (type === 'MessageAccepted' && !isChange(data.type))
          ids.remember(profileId, data.networkMessageId, messageId);
    });
    return {
      hears: [
        reaction(SessionReceipt, recordReceipts({ networkIds: ids, journal, lanes: all, owners, clock: tools.clock })),
      ],
      jobs: [networkIdMonths(tools, tools.settings.receiptWindowDays * dayMs)],
    };
  },
});
