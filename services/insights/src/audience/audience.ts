import {
  DescribeMembers,
  type DataOf,
  type EventEnvelope,
  type PreferencesChanged,
} from '@messaging-gateway/contracts';
import { jsonText } from '@messaging-gateway/event-sourcing';
import type { Sql } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { memberColumns, memberOf, type DescribedMember, type Member, type MemberRow } from './member.ts';

/** Members that are asked for in one request. */
const together = 500;

/**
 * Members of organizations, with their permissions and preferences: asked of identity when they are first needed, and
 * again after a change was told. While identity is away the former answer stands.
 */
export class Audience {
  readonly #tools: Pick<InsightsTools, 'ask' | 'sql' | 'log'>;

  constructor(tools: Pick<InsightsTools, 'ask' | 'sql' | 'log'>) {
    this.#tools = tools;
  }

  /** Takes in that identity has told a change. */
  async changed(organizationId: string): Promise<void> {
    await this.#tools.sql.query(
      `INSERT INTO audiences (organization_id) VALUES ($1)
       ON CONFLICT (organization_id) DO UPDATE SET changes = audiences.changes + 1`,
      [organizationId],
    );
  }

  /** Each change builds on the one before: where that is not known here, all is asked anew. */
  async preferencesChanged({ organizationId, data }: EventEnvelope<DataOf<typeof PreferencesChanged>>): Promise<void> {
    const { userId, version, changed } = data;
    const [member] = await this.#tools.sql.query<{ known: number }>(
      `WITH changed AS (
         UPDATE audience_members SET preferences = preferences || $4::jsonb, preferences_version = $3
          WHERE organization_id = $1 AND user_id = $2 AND preferences_version = $3::int - 1
         RETURNING preferences_version AS known
       )
       SELECT known FROM changed
       UNION ALL
       SELECT preferences_version FROM audience_members
        WHERE organization_id = $1 AND user_id = $2 AND preferences_version >= $3::int LIMIT 1`,
      [organizationId, userId, version, jsonText(changed)],
    );
    if (member === undefined) await this.changed(organizationId);
  }

  /** Makes sure that it is as it was told. @throws Unavailable when nothing is known of it, and identity is away */
  async refresh(organizationId: string): Promise<void> {
    const { ask, sql, log } = this.#tools;
    const [row] = await sql.query<{ changes: string; known: string }>(
      'SELECT changes, known FROM audiences WHERE organization_id = $1',
      [organizationId],
    );
    const { changes = '1', known = '0' } = row ?? {};
    if (BigInt(known) >= BigInt(changes)) return;
    try {
      const members: DescribedMember[] = [];
      let after: string | null | undefined;
      do {
        const page = await ask(DescribeMembers, { organizationId, limit: together, ...(after && { after }) });
        members.push(...page.members);
        after = page.next;
      } while (after !== null);
      await sql.transaction((tx) => keep(tx, organizationId, changes, members));
    } catch (error) {
      if (known === '0') throw error;
      log.warn('Members are as they were known before', { organizationId, reason: String(error) });
    }
  }

  /** As they are known here. @param sql of a transaction that is to see them */
  async membersOf(sql: Sql, organizationId: string): Promise<readonly Member[]> {
    const rows = await sql.query<MemberRow>(
      `SELECT ${memberColumns} FROM audience_members WHERE organization_id = $1`,
      [organizationId],
    );
    return rows.map(memberOf);
  }

  async forget(sql: Sql, organizationId: string, userId: string): Promise<void> {
    await sql.query('DELETE FROM audience_members WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      userId,
    ]);
  }
}

/** Puts them in the place of those that were known. A change of preferences that has come meanwhile stays. */
async function keep(sql: Sql, organizationId: string, changes: string, members: readonly DescribedMember[]) {
  await sql.query(
    `INSERT INTO audiences (organization_id, changes, known) VALUES ($1, $2, $2)
     ON CONFLICT (organization_id) DO UPDATE SET known = greatest(audiences.known, excluded.known)`,
    [organizationId, changes],
  );
  await sql.query('DELETE FROM audience_members WHERE organization_id = $1 AND NOT (user_id = ANY ($2::uuid[]))', [
    organizationId,
    members.map(({ userId }) => userId),
  ]);
  await sql.query(
    `INSERT INTO audience_members AS kept (organization_id, user_id, permissions, preferences, preferences_version, joined_at)
     SELECT $1, user_id, permissions, preferences, preferences_version, joined_at
       FROM jsonb_to_recordset($2::jsonb)
         AS g(user_id uuid, permissions text[], preferences jsonb, preferences_version int, joined_at timestamptz)
      ORDER BY user_id
     ON CONFLICT (organization_id, user_id) DO UPDATE SET permissions = excluded.permissions,
       joined_at = excluded.joined_at,
       preferences = CASE WHEN excluded.preferences_version < kept.preferences_version THEN kept.preferences ELSE excluded.preferences END,
       preferences_version = greatest(kept.preferences_version, excluded.preferences_version)`,
    [
      organizationId,
      jsonText(
        members.map(({ userId, permissions, preferences, preferencesVersion, joinedAt }) => ({
          user_id: userId,
          permissions,
          preferences,
          preferences_version: preferencesVersion,
          joined_at: joinedAt,
        })),
      ),
    ],
  );
}
