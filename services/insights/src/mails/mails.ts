import { MailMember } from '@messaging-gateway/contracts';
import { SlowPlaces } from '@messaging-gateway/runtime';
import { attending, DueRows, type DueJob, type Sql } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { digestOf, type Mailed } from './digest.ts';

/** From one mail to the next. Whoever takes a member in hand is alone for so long: a crash mails nothing twice sooner than that. */
const restMs = 900_000;
/** What comes within that goes together. */
const gatherMs = 10_000;
/** Shown in a mail. */
const most = 20;
/** Mails under way for one organization, whose server may be slow, and in all, by one replica. */
const places = [4, 40] as const;
const noPlaceMs = 1_000;

interface Due {
  readonly id: string;
  readonly organization_id: string;
  readonly user_id: string;
  readonly mailed_up_to: string;
  readonly news: string;
}

export type MailsParts = Pick<InsightsTools, 'sql' | 'clock' | 'ask' | 'log' | 'settings'>;

/** Mails members what they have not read: one mail for all of it, every fifteen minutes at most. */
export class Mails {
  readonly job: DueJob;
  readonly #parts: MailsParts;
  readonly #places = new SlowPlaces(...places);

  constructor(parts: MailsParts) {
    this.#parts = parts;
    const { sql, clock } = parts;
    const rows = new DueRows<Due>(sql, {
      table: 'notification_mails',
      key: 'id',
      due: 'due',
      owner: 'organization_id',
      columns: 'id, organization_id, user_id, mailed_up_to, news',
      leaseMs: restMs,
    });
    this.job = attending({ name: 'mails of notifications', clock, rows, attend: (due) => this.#attend(due) });
  }

  /** Within the transaction that tells them something. */
  async put(sql: Sql, organizationId: string, userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    await sql.query(
      `INSERT INTO notification_mails AS m (organization_id, user_id, due)
       SELECT $1, user_id, $3::timestamptz FROM unnest($2::uuid[]) AS u(user_id) ORDER BY user_id
       ON CONFLICT (organization_id, user_id) DO UPDATE SET news = m.news + 1,
          due = coalesce(m.due, greatest(excluded.due, m.mailed_at + interval '${restMs} ms'))`,
      [organizationId, [...new Set(userIds)], new Date(this.#parts.clock.now() + gatherMs)],
    );
  }

  async #attend(due: Due): Promise<void> {
    const { clock, ask, log, settings } = this.#parts;
    const { organization_id: organizationId, user_id: userId } = due;
    const giveBack = this.#places.take(organizationId);
    if (giveBack === undefined) return this.#later(due, clock.now() + noPlaceMs);
    try {
      const { shown, unread, place } = await this.#unread(due);
      if (place === undefined) return await this.#rest(due);
      const mail = digestOf(shown, unread, settings.publicUrl);
      const { by } = await ask(MailMember, { organizationId, userId, ...mail });
      await this.#mailed(due, place);
      if (by === 'nobody') await this.#rest(due);
    } catch (error) {
      // It is tried again when the next one may be mailed.
      log.warn('Notifications were not mailed', { organizationId, userId, reason: String(error) });
    } finally {
      giveBack();
    }
  }

  /** What was told since the last mail, still unread, and may be seen. `place`: of the last one; undefined: there is none. */
  async #unread({ organization_id, user_id, mailed_up_to }: Due) {
    const rows = await this.#parts.sql.query<Mailed & { place: string; unread: number }>(
      `SELECT n.title, n.body, n.count, n.place, (count(*) OVER ())::int AS unread
         FROM notifications n
         JOIN audience_members m ON m.organization_id = n.organization_id AND m.user_id = n.user_id
        WHERE n.organization_id = $1 AND n.user_id = $2 AND n.place > $3 AND NOT n.is_read
          AND (m.preferences ->> 'emailNotifications')::boolean
          AND (n.needs IS NULL OR n.needs = ANY (m.permissions))
        ORDER BY n.place DESC LIMIT ${most}`,
      [organization_id, user_id, mailed_up_to],
    );
    return { shown: rows, unread: rows[0]?.unread ?? 0, place: rows[0]?.place };
  }

  async #mailed({ id }: Due, place: string): Promise<void> {
    await this.#parts.sql.query(
      'UPDATE notification_mails SET mailed_up_to = greatest(mailed_up_to, $2::bigint), mailed_at = $3 WHERE id = $1',
      [id, place, new Date(this.#parts.clock.now())],
    );
  }

  /** Nothing waits, but for what has come meanwhile. */
  async #rest({ id, news }: Due): Promise<void> {
    await this.#parts.sql.query(
      'UPDATE notification_mails SET due = CASE WHEN news <> $2 THEN $3::timestamptz END WHERE id = $1',
      [id, news, new Date(this.#parts.clock.now() + gatherMs)],
    );
  }

  async #later({ id }: Due, at: number): Promise<void> {
    await this.#parts.sql.query('UPDATE notification_mails SET due = $2 WHERE id = $1', [id, new Date(at)]);
    this.#parts.clock.at(at, () => this.job.wake());
  }
}

/** Of somebody who is no member any more, or was erased. */
export async function forgetMails(sql: Sql, organizationId: string, userId: string): Promise<void> {
  await sql.query('DELETE FROM notification_mails WHERE organization_id = $1 AND user_id = $2', [
    organizationId,
    userId,
  ]);
}
