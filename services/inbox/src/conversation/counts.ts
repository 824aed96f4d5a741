import type { OperationInput, Running, ServiceTools, Sql } from '@messaging-gateway/service';

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'clock' | 'log'>;

const minute = 60_000;
/** Looks until the numbers are compared with the conversations themselves: once an hour. */
const looksBetween = 60;

const groups = 'organization_id, profile_id, is_group, archived, unread';

/** How many conversations a list has in all, by any filter but a search. The profile that is asked for must be allowed. */
export async function totalOf(
  sql: Sql,
  { query, caller }: Pick<OperationInput<unknown>, 'query' | 'caller'>,
): Promise<number> {
  const values: unknown[] = [caller.organizationId];
  const conditions = ['organization_id = $1'];
  const { profileId, type, archived, unread } = query;
  if (profileId !== undefined) conditions.push(`profile_id = $${values.push(profileId)}`);
  else if (caller.profileIds !== undefined) conditions.push(`profile_id = ANY ($${values.push(caller.profileIds)})`);
  if (type !== undefined) conditions.push(type === 'group' ? 'is_group' : 'NOT is_group');
  if (archived !== undefined) conditions.push(archived === true ? 'archived' : 'NOT archived');
  if (unread !== undefined) conditions.push(unread === true ? 'unread' : 'NOT unread');
  const [row] = await sql.query<{ total: number }>(
    `SELECT coalesce(sum(change), 0)::int AS total FROM conversation_counts WHERE ${conditions.join(' AND ')}`,
    values,
  );
  return row?.total ?? 0;
}

/** Each row is taken by one replica only, and its change is written again in the sum: at any moment the sums are right. */
const addUp = `
  WITH many AS (
    SELECT ${groups} FROM conversation_counts GROUP BY ${groups} HAVING count(*) > 1
  ), gone AS (
    DELETE FROM conversation_counts c USING many m
     WHERE (c.organization_id, c.profile_id, c.is_group, c.archived, c.unread)
         = (m.organization_id, m.profile_id, m.is_group, m.archived, m.unread)
    RETURNING c.*
  )
  INSERT INTO conversation_counts
  SELECT ${groups}, sum(change) FROM gone GROUP BY ${groups} HAVING sum(change) <> 0`;

/** Counted and told in one snapshot: what differs was told wrongly, as when a conversation came while its name became an alias. */
const correct = `
  INSERT INTO conversation_counts
  SELECT ${groups}, sum(change) FROM (
    SELECT ${groups}, -change AS change FROM conversation_counts
     UNION ALL
    SELECT organization_id, profile_id, jid LIKE '%@g.us', archived IS TRUE, unread_count > 0, 1 FROM conversations c
     WHERE deleted IS NOT TRUE AND NOT EXISTS (SELECT FROM conversation_aliases a WHERE a.id = c.id)
  ) difference (organization_id, profile_id, is_group, archived, unread, change)
  GROUP BY ${groups} HAVING sum(change) <> 0 RETURNING change`;

/** Adds up what changed in the numbers of conversations once a minute, and puts them right once an hour. */
export function countKeeping({ sql, clock, log }: Tools): Running {
  let looks = 0;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    await sql.query(addUp);
    if (looks % looksBetween === 0) {
      const corrections = await correctCounts(sql);
      if (corrections > 0) log.warn('Numbers of conversations were put right', { corrections });
    }
    looks += 1;
  };
  const tick = async (): Promise<void> => {
    try {
      await look();
    } finally {
      cancel = clock.at(
        clock.now() + minute,
        () =>
          void tick().catch((error: Error) => log.error('Conversations were not counted', { reason: error.message })),
      );
    }
  };
  return { start: tick, stop: async () => cancel() };
}

/** By one replica at a time: two would put the same difference right twice. @returns how many numbers were wrong */
async function correctCounts(sql: Sql): Promise<number> {
  return sql.transaction(async (alone) => {
    await alone.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('counts of conversations ' || current_schema(), 0))`,
    );
    return (await alone.query(correct)).length;
  });
}
