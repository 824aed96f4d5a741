import type { ContactUpdated, DataOf } from '@messaging-gateway/contracts';
import { every, type Job, type PersonalSection, type Sql, type Whose } from '@messaging-gateway/service';
import type { Audience } from '../audience/audience.ts';
import type { InsightsTools } from '../tools.ts';
import { lockHead } from './desk.ts';

const dayMs = 86_400_000;
/** Facts and chats are remembered for so long: what comes again comes sooner. */
const rememberedMs = 2 * dayMs;
const together = 5_000;

/** A contact was deleted: nothing that the person wrote is shown any more. */
export async function forgetPerson(
  sql: Sql,
  organizationId: string,
  { change, mergedInto, profileId, phone, lid }: DataOf<typeof ContactUpdated>,
): Promise<void> {
  if (change !== 'deleted' || mergedInto !== undefined) return;
  const jids = [...(phone ? [`${phone}@c.us`] : []), ...(lid ? [lid] : [])];
  if (jids.length === 0) return;
  await sql.query(
    `DELETE FROM notifications WHERE organization_id = $1 AND person = ANY ($2::text[])
        AND ($3::uuid IS NULL OR profile_id = $3)`,
    [organizationId, jids, profileId],
  );
}

/** A message was deleted for everyone: what it said is shown no more. */
export async function forgetMessage(sql: Sql, organizationId: string, messageId: string): Promise<void> {
  await sql.query(
    `UPDATE notifications SET body = 'This message was deleted.' WHERE organization_id = $1 AND message_id = $2`,
    [organizationId, messageId],
  );
}

/** Of somebody who is no member any more, or was erased. What is being told at this moment is told before. */
export function forgetUser(sql: Sql, audience: Audience, { organizationId, userId }: Omit<Whose, 'wholeOrganization'>) {
  return sql.transaction(async (tx) => {
    await lockHead(tx, organizationId);
    await audience.forget(tx, organizationId, userId);
    await tx.query('DELETE FROM notifications WHERE organization_id = $1 AND user_id = $2', [organizationId, userId]);
    // What was yet to be told them alone.
    await tx.query("DELETE FROM notification_news WHERE organization_id = $1 AND draft ->> 'onlyUser' = $2", [
      organizationId,
      userId,
    ]);
  });
}

/** Removes notifications after NOTIFICATION_RETENTION_DAYS, and what is remembered against repeats. */
export function notificationRetention({ sql, clock, settings }: InsightsTools): Job {
  const keptMs = settings.notificationRetentionDays * dayMs;
  return every(
    '1h',
    'retention of notifications',
    async (signal) => {
      const now = clock.now();
      const before: readonly (readonly [table: string, olderThan: number])[] = [
        ['notifications', now - keptMs],
        // For want of members: of an organization that was erased while identity was away.
        ['notification_news', now - rememberedMs],
        ['notification_facts', now - rememberedMs],
        ['notification_chats', now - rememberedMs],
      ];
      for (const [table, olderThan] of before) {
        for (let more = true; more && !signal.aborted;) {
          const gone = await sql.query(
            `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE at < $1 LIMIT ${together})) RETURNING 1`,
            [new Date(olderThan)],
          );
          more = gone.length === together;
        }
      }
      await sql.query('DELETE FROM notification_muted_chats WHERE until < $1', [new Date(now)]);
      // Made again with the next news.
      await sql.query('DELETE FROM notification_desks WHERE due IS NULL');
    },
    { alone: true },
  );
}

export const notificationsSection: PersonalSection = {
  name: 'notifications',
  ofOrganization: false,
  sql: `
    SELECT id::text AS key, jsonb_build_object('id', id, 'type', type, 'title', title, 'body', body, 'metadata', metadata,
           'read', is_read, 'createdAt', at) AS item
      FROM notifications WHERE organization_id = $1 AND user_id = $2 AND id::text > $3 ORDER BY id::text LIMIT $4`,
};
