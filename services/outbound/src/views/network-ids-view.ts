import type { InlineView } from '@messaging-gateway/event-sourcing';
import { isChange, type MessageEvent } from '../message/message-events.ts';

/** Finds the message that a receipt speaks of. Written once per message, never changed. Receipts of reactions and deletions tell nobody anything. */
export const networkIdsView: InlineView = {
  name: 'network_ids',
  rows: (events) =>
    (events as unknown as readonly MessageEvent[]).flatMap(({ type, data }) => {
      if (type !== 'MessageAccepted' || isChange(data.type)) return [];
      const { profileId, networkMessageId, messageId, acceptedAt } = data;
      return [{ profileId, networkMessageId, messageId, acceptedAt }];
    }),
  tables: ['network_ids'],
  sql: `
    insert into {schema}.network_ids (profile_id, network_message_id, message_id, accepted_at)
    select (row->>'profileId')::uuid, row->>'networkMessageId', (row->>'messageId')::uuid, (row->>'acceptedAt')::timestamptz
    from {rows}
    on conflict do nothing`,
};
