import { jsonText } from '@messaging-gateway/event-sourcing';
import { attending, DueRows, type Arrivals, type DueJob, type Sql } from '@messaging-gateway/service';
import { v7 } from 'uuid';
import type { Audience } from '../audience/audience.ts';
import type { Member } from '../audience/member.ts';
import type { Mails } from '../mails/mails.ts';
import type { Pushes } from '../push/pushes.ts';
import type { InsightsTools } from '../tools.ts';
import type { Draft } from './draft.ts';
import { address, gather, type Addressed, type Gathered, type NewsRow } from './gathering.ts';
import { mostOfUser } from './limits.ts';
import { mutedAmong } from './muted.ts';

/** A notification that was told, or counted up. */
export interface Told {
  readonly id: string;
  readonly userId: string;
  readonly type: string;
  readonly tally: string | null;
}

/** Called once notifications are committed. */
type AfterTold = (organizationId: string, told: readonly Told[]) => void;

/** Facts that are read at once, notifications that are written at once, at most. */
const factsAtOnce = 500;
const rowsAtOnce = 2_000;
/** Organizations that are told at the same time, by one replica. */
const atOnce = 4;
const leaseMs = 10_000;
/** How long telling rests after it, times how long it took: an organization of thousands costs the others no more than that. */
const restShare = 4;
const leastRestMs = 50;
const noAudienceMs = 1_000;

interface Desk {
  readonly organization_id: string;
}

export interface DeskParts extends Pick<InsightsTools, 'sql' | 'clock' | 'log'> {
  readonly audience: Audience;
  readonly arrivals: Arrivals;
  readonly pushes: Pushes;
  readonly mails: Mails;
}

/**
 * Tells news to the members of organizations: one organization at a time, in turns, some at once. What comes meanwhile waits and is
 * gathered, so that a flood costs few rounds.
 */
export class Desks {
  readonly job: DueJob;
  readonly #parts: DeskParts;
  readonly #afterTold: AfterTold;

  constructor(parts: DeskParts, afterTold: AfterTold) {
    this.#parts = parts;
    this.#afterTold = afterTold;
    const rows = new DueRows<Desk>(parts.sql, {
      table: 'notification_desks',
      key: 'organization_id',
      due: 'due',
      owner: 'organization_id',
      columns: 'organization_id',
      leaseMs,
    });
    this.job = attending({
      name: 'notifications',
      clock: parts.clock,
      rows,
      attend: ({ organization_id: id }) => this.#attend(id),
      atOnce,
    });
  }

  async #attend(organizationId: string): Promise<void> {
    const { audience, arrivals, log, pushes } = this.#parts;
    try {
      await audience.refresh(organizationId);
    } catch (error) {
      log.warn('Nothing is told: members are not known', { organizationId, reason: String(error) });
      return this.#rest(organizationId, noAudienceMs);
    }
    const begun = performance.now();
    const told = await this.#tell(organizationId);
    if (told.length > 0) {
      arrivals.tell([organizationId]);
      pushes.job.wake();
      this.#afterTold(organizationId, told);
    }
    await this.#rest(organizationId, Math.max(leastRestMs, (performance.now() - begun) * restShare));
  }

  /** @returns the notifications that were told */
  #tell(organizationId: string): Promise<readonly Told[]> {
    const { sql, audience, clock, pushes, mails } = this.#parts;
    return sql.transaction(async (tx) => {
      const head = await lockHead(tx, organizationId);
      const news = await readNews(tx, organizationId);
      if (news.length === 0) return [];
      const members = await audience.membersOf(tx, organizationId);
      // As many as fit; at least the first, whoever many it concerns.
      const most = Math.max(1, Math.floor(rowsAtOnce / Math.max(1, members.length)));
      const { gathered, repeats } = gather(news, await lastOfChats(tx, organizationId, news));
      const now = gathered.slice(0, most);
      const chats = chatsOf(now.map(({ draft }) => draft));
      const muted = await mutedAmong(tx, organizationId, chats, new Date(clock.now()));
      const rows = address(
        now.filter(({ draft: { conversationId } }) => conversationId === undefined || !muted.has(conversationId)),
        members,
      );
      const told = rows.length === 0 ? [] : await write(tx, organizationId, head, rows);
      await keepLast(tx, organizationId, now, new Date(clock.now()));
      await forgetNews(tx, organizationId, [...now.flatMap(({ ids }) => ids), ...repeats]);
      await pushes.put(tx, organizationId, forWhoWants(told, members, 'pushNotifications').map(pushOf));
      const toMail = forWhoWants(told, members, 'emailNotifications');
      await mails.put(
        tx,
        organizationId,
        toMail.map(({ userId }) => userId),
      );
      if (told.length > 0) await dropOldest(tx, organizationId, [...new Set(told.map(({ userId }) => userId))]);
      return told;
    });
  }

  /** Due again after a rest when there is more, else when something comes. */
  async #rest(organizationId: string, ms: number): Promise<void> {
    const { sql, clock } = this.#parts;
    const due = clock.now() + ms;
    // Whoever brings news holds the desk until they can be seen: it is looked for them once it is held here.
    const [row] = await sql.transaction(async (tx) => {
      await tx.query('SELECT FROM notification_desks WHERE organization_id = $1 FOR UPDATE', [organizationId]);
      return tx.query<{ due: Date | null }>(
        `UPDATE notification_desks SET due = CASE WHEN EXISTS (
            SELECT FROM notification_news n WHERE n.organization_id = $1) THEN $2::timestamptz END
          WHERE organization_id = $1 RETURNING due`,
        [organizationId, new Date(due)],
      );
    });
    if (row?.due) clock.at(due, () => this.job.wake());
  }
}

function forWhoWants(
  told: readonly Told[],
  members: readonly Member[],
  wish: 'pushNotifications' | 'emailNotifications',
): Told[] {
  const wanting = new Set(members.filter(({ preferences }) => preferences[wish]).map(({ userId }) => userId));
  return told.filter(({ userId }) => wanting.has(userId));
}

const pushOf = ({ id, userId, tally }: Told) => ({ id, userId, tag: tally ?? id });

/** Locks the head of an organization's notifications: the holder is alone with them until the transaction ends. */
export async function lockHead(sql: Sql, organizationId: string): Promise<bigint> {
  const [head] = await sql.query<{ last: string }>(
    `INSERT INTO notification_heads (organization_id, last) VALUES ($1, 0)
     ON CONFLICT (organization_id) DO UPDATE SET last = notification_heads.last RETURNING last`,
    [organizationId],
  );
  return BigInt(head?.last ?? 0);
}

const readNews = (sql: Sql, organizationId: string): Promise<NewsRow[]> =>
  sql.query<NewsRow>(
    `SELECT id, sequence, at, draft FROM notification_news WHERE organization_id = $1
      ORDER BY at, sequence, id LIMIT ${factsAtOnce}`,
    [organizationId],
  );

async function forgetNews(sql: Sql, organizationId: string, ids: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM notification_news WHERE organization_id = $1 AND id = ANY ($2::uuid[])', [
    organizationId,
    ids,
  ]);
}

const chatsOf = (drafts: readonly Draft[]): string[] => [
  ...new Set(drafts.flatMap(({ conversationId }) => conversationId ?? [])),
];

/** The sequence of the last message that was told of each chat. */
async function lastOfChats(sql: Sql, organizationId: string, news: readonly NewsRow[]): Promise<Map<string, string>> {
  const chats = chatsOf(news.map(({ draft }) => draft));
  if (chats.length === 0) return new Map();
  const rows = await sql.query<{ conversation_id: string; sequence: string }>(
    'SELECT conversation_id, sequence FROM notification_chats WHERE organization_id = $1 AND conversation_id = ANY ($2::uuid[])',
    [organizationId, chats],
  );
  return new Map(rows.map((row) => [row.conversation_id, row.sequence]));
}

async function keepLast(sql: Sql, organizationId: string, told: readonly Gathered[], at: Date): Promise<void> {
  const chats = told.filter(({ draft }) => draft.conversationId !== undefined);
  if (chats.length === 0) return;
  await sql.query(
    `INSERT INTO notification_chats (organization_id, conversation_id, sequence, at)
     SELECT $1, chat, sequence, $4 FROM unnest($2::uuid[], $3::text[]) AS g(chat, sequence)
     ON CONFLICT (organization_id, conversation_id) DO UPDATE SET sequence = excluded.sequence, at = excluded.at`,
    [organizationId, chats.map(({ draft }) => draft.conversationId), chats.map(({ sequence }) => sequence), at],
  );
}

/** Unread ones with the same tally are counted up; whatever is written gets a place of its own, the later the higher. */
async function write(
  sql: Sql,
  organizationId: string,
  head: bigint,
  rows: readonly Addressed[],
): Promise<readonly Told[]> {
  const given = rows.map(({ userId, draft, at, ids }, index) => ({
    id: v7({ msecs: at.getTime() }),
    user_id: userId,
    place: String(head + BigInt(index) + 1n),
    type: draft.type,
    title: draft.title,
    body: draft.body,
    metadata: draft.metadata,
    count: ids.length,
    tally: draft.tally,
    needs: draft.needs,
    profile_id: draft.profileId,
    person: draft.person,
    message_id: draft.messageId,
    at,
  }));
  await sql.query('UPDATE notification_heads SET last = $2 WHERE organization_id = $1', [
    organizationId,
    String(head + BigInt(rows.length)),
  ]);
  const told = await sql.query<{ id: string; user_id: string; type: string; tally: string | null }>(
    `INSERT INTO notifications AS n (id, organization_id, user_id, place, type, title, body, metadata, count, tally, needs, profile_id,
                                     person, message_id, at)
     SELECT id, $1, user_id, place, type, title, body, metadata, count, tally, needs, profile_id, person, message_id, at
       FROM jsonb_to_recordset($2::jsonb)
         AS g(id uuid, user_id uuid, place bigint, type text, title text, body text, metadata jsonb, count int, tally text,
              needs text, profile_id uuid, person text, message_id uuid, at timestamptz)
     ON CONFLICT (organization_id, user_id, tally) WHERE NOT is_read AND tally IS NOT NULL DO UPDATE
        SET place = excluded.place, title = excluded.title, body = excluded.body, metadata = excluded.metadata,
            count = n.count + excluded.count, person = excluded.person, message_id = excluded.message_id, at = excluded.at
     RETURNING id, user_id, type, tally`,
    [organizationId, jsonText(given)],
  );
  return told.map(({ id, user_id: userId, type, tally }) => ({ id, userId, type, tally }));
}

async function dropOldest(sql: Sql, organizationId: string, userIds: readonly string[]): Promise<void> {
  await sql.query(
    `DELETE FROM notifications n
      USING unnest($2::uuid[]) AS u(user_id)
      CROSS JOIN LATERAL (SELECT o.place FROM notifications o WHERE o.organization_id = $1 AND o.user_id = u.user_id
                           ORDER BY o.place DESC OFFSET ${mostOfUser} LIMIT 1) edge
      WHERE n.organization_id = $1 AND n.user_id = u.user_id AND n.place <= edge.place`,
    [organizationId, userIds],
  );
}
