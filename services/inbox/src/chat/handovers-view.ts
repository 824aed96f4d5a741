import { view } from '@messaging-gateway/event-sourcing';
import { handoverStream } from './handover.ts';

/** Which chats are, or were, in the hands of humans. Of several rows of one chat the last has the last word. */
export const handoversView = view({
  name: 'handovers',
  tables: ['handovers'],
  joins: true,
  of: handoverStream,
  on: ['HandedOver', 'Resumed'],
  rows: (events) =>
    events.map(({ type, data, metadata }) => ({
      conversation_id: data.conversationId,
      organization_id: metadata.organizationId,
      profile_id: data.profileId,
      until: type === 'HandedOver' ? data.until : null,
    })),
  sql: `
    INSERT INTO {schema}.handovers (conversation_id, organization_id, profile_id, until)
    SELECT DISTINCT ON (given.conversation_id) given.conversation_id, given.organization_id, given.profile_id, given.until
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             conversation_id uuid, organization_id uuid, profile_id uuid, until timestamptz)
     ORDER BY given.conversation_id, rows.ordinal DESC
    ON CONFLICT (conversation_id) DO UPDATE SET until = excluded.until`,
});

/**
 * SQL: until when a chat is silenced, under any of the names that its person has had; null: it never was, or was given back. It
 * may have passed.
 *
 * @param id SQL of the id of a conversation that is no alias
 * @param organization SQL of the id of its organization
 */
export const silencedUntil = (id: string, organization: string): string => `(
  SELECT max(silence.until)
    FROM (SELECT ${id} AS id
           UNION ALL SELECT alias.id FROM conversation_aliases alias WHERE alias.conversation_id = ${id}) known
   CROSS JOIN LATERAL (SELECT h.until FROM handovers h WHERE h.conversation_id = known.id AND h.organization_id = ${organization} OFFSET 0) silence)`;

/** As it is shown: null once it has passed. @param now milliseconds since 1970 */
export const silentNow = (until: Date | null, now: number): string | null =>
  until === null || until.getTime() <= now ? null : until.toISOString();
