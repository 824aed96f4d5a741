import type { Sql } from '@messaging-gateway/service';
import { dayMs } from '../facts/counts.ts';
import { firstPlaceAt } from '../facts/place.ts';
import { recount } from '../facts/recounting.ts';
import { inTurn } from '../facts/turns.ts';

/** Tables that are counted from the facts. */
export const statisticsViews: readonly string[] = [
  'message_quarters',
  'message_days',
  'message_flow',
  'chat_days',
  'chats',
  'answers',
];

/** Chats in one transaction: their organization's news wait for it. */
const chatsAtOnce = 200;

/**
 * Makes all that is counted anew from the facts, while they go on being taken in: of one organization after the other, day by day and some chats at a
 * time, each in its turn. Whoever reads meanwhile finds what was there before or what is counted anew, of each part.
 */
export async function rebuildViews(sql: Sql, onOrganization?: (done: number, all: number) => void): Promise<void> {
  const organizations = await organizationsOf(sql);
  for (const [index, organizationId] of organizations.entries()) {
    await rebuildDays(sql, organizationId);
    await rebuildChats(sql, organizationId);
    onOrganization?.(index + 1, organizations.length);
  }
}

/** Of each partition one after the other, by its key: there are few organizations and many facts. */
async function organizationsOf(sql: Sql): Promise<string[]> {
  const found: string[] = [];
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const [row] = await sql.query<{ organization_id: string }>(
      `SELECT organization_id FROM (
         (SELECT organization_id FROM message_facts WHERE organization_id > $1 ORDER BY organization_id LIMIT 1)
         UNION ALL (SELECT organization_id FROM message_days WHERE organization_id > $1 ORDER BY organization_id LIMIT 1)
       ) next ORDER BY organization_id LIMIT 1`,
      [after],
    );
    if (row === undefined) return found;
    found.push(row.organization_id);
    after = row.organization_id;
  }
}

/** Days of which there is anything, facts or counts; what a wrong clock has brought may lie years ahead. */
async function rebuildDays(sql: Sql, organizationId: string): Promise<void> {
  for (let from = 0; ;) {
    const [row] = await sql.query<{ next: Date | null }>(
      `SELECT least((SELECT at FROM message_facts WHERE organization_id = $1 AND place >= $2 ORDER BY place LIMIT 1),
                    (SELECT min(quarter) FROM message_quarters WHERE organization_id = $1 AND quarter >= $3),
                    (SELECT min(day) FROM message_days WHERE organization_id = $1 AND day >= $3),
                    (SELECT min(quarter) FROM message_flow WHERE organization_id = $1 AND quarter >= $3),
                    (SELECT min(day) FROM chat_days WHERE organization_id = $1 AND day >= $3)) AS next`,
      [organizationId, firstPlaceAt(from), new Date(from)],
    );
    if (!row?.next) return;
    const day = Math.floor(row.next.getTime() / dayMs) * dayMs;
    await rebuildDay(sql, organizationId, day);
    from = day + dayMs;
  }
}

const rebuildDay = (sql: Sql, organizationId: string, day: number): Promise<void> =>
  sql.transaction(async (inside) => {
    await inTurn(inside, [organizationId]);
    const times = [organizationId, new Date(day), new Date(day + dayMs)];
    for (const [table, column] of counted)
      await inside.query(
        `DELETE FROM ${table} WHERE organization_id = $1 AND ${column} >= $2 AND ${column} < $3`,
        times,
      );
    await inside.query(countDay, [organizationId, firstPlaceAt(day), firstPlaceAt(day + dayMs)]);
  });

const counted = [
  ['message_quarters', 'quarter'],
  ['message_days', 'day'],
  ['message_flow', 'quarter'],
  ['chat_days', 'day'],
] as const;

const quarterOf = `to_timestamp(floor(extract(epoch FROM at) / 900) * 900)`;
const countDay = `
  WITH facts AS MATERIALIZED (
    SELECT ${quarterOf} AS quarter, date_trunc('day', at, 'UTC') AS day, profile_id, conversation_id, direction, private, type, status, origin
      FROM message_facts WHERE organization_id = $1 AND place >= $2 AND place < $3
  ), quarters AS MATERIALIZED (
    SELECT quarter, day, profile_id, direction, type, status, origin, count(*)::int AS count FROM facts GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), one AS (
    INSERT INTO message_quarters (organization_id, quarter, profile_id, direction, type, status, origin, count)
    SELECT $1, quarter, profile_id, direction, type, status, origin, count FROM quarters
  ), two AS (
    INSERT INTO message_days (organization_id, day, profile_id, direction, type, status, origin, count)
    SELECT $1, day, profile_id, direction, type, status, origin, sum(count)::int FROM quarters GROUP BY 2, 3, 4, 5, 6, 7
  ), three AS (
    INSERT INTO message_flow (organization_id, quarter, profile_id, incoming, outgoing)
    SELECT $1, quarter, profile_id, coalesce(sum(count) FILTER (WHERE direction = 'incoming'), 0)::int,
           coalesce(sum(count) FILTER (WHERE direction = 'outgoing'), 0)::int
      FROM quarters GROUP BY 2, 3
  )
  INSERT INTO chat_days (organization_id, day, profile_id, conversation_id)
  SELECT DISTINCT $1::uuid, day, profile_id, conversation_id FROM facts WHERE private AND direction = 'incoming'`;

/** Chats with facts, and those with counts only, which go. */
async function rebuildChats(sql: Sql, organizationId: string): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const found = await sql.query<{ conversation_id: string }>(
      `SELECT DISTINCT conversation_id FROM (
         (SELECT DISTINCT conversation_id FROM message_facts
           WHERE organization_id = $1 AND private AND conversation_id > $2 ORDER BY conversation_id LIMIT ${chatsAtOnce})
         UNION ALL (SELECT conversation_id FROM chats
           WHERE organization_id = $1 AND conversation_id > $2 ORDER BY conversation_id LIMIT ${chatsAtOnce})
       ) next ORDER BY conversation_id LIMIT ${chatsAtOnce}`,
      [organizationId, after],
    );
    const last = found.at(-1);
    if (last === undefined) return;
    const ids = found.map(({ conversation_id }) => conversation_id);
    await sql.transaction(async (inside) => {
      await inTurn(inside, [organizationId]);
      for (const table of ['chats', 'answers'])
        await inside.query(`DELETE FROM ${table} WHERE organization_id = $1 AND conversation_id = ANY ($2)`, [
          organizationId,
          ids,
        ]);
      await recount(
        inside,
        ids.map((conversationId) => ({ organizationId, conversationId })),
      );
    });
    after = last.conversation_id;
  }
}
