import { SlowPlaces } from '@messaging-gateway/runtime';
import { attending, DueRows, type DueJob, type Sql } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { pageOf } from './payload.ts';
import type { Browser, Pushed, PushSender } from './sender.ts';

/** A notification that was told, or counted up. */
export interface Told {
  readonly id: string;
  readonly userId: string;
  /** Notifications with the same take each other's place on a screen. */
  readonly tag: string;
}

/** Of the same tag and browser, milliseconds. */
const restMs = 10_000;
const mostAttempts = 3;
/** After the first attempt and the second, where the push service does not say. */
const pausesMs = [60_000, 600_000] as const;
const patienceMs = 3_600_000;
/** Refusals in a row after which a subscription goes. */
const mostRefusals = 10;
const leaseMs = 30_000;
const atOnce = 100;
/** Pushes under way to one push service, for one organization, and in all, by one replica. */
const [mostToOne, mostOfOne] = [40, 12];
const noPlaceMs = 250;

interface Due {
  readonly id: string;
  readonly organization_id: string;
}

interface Waiting extends Browser {
  readonly subscription_id: string;
  readonly vapid_key: string;
  readonly rests_until: Date | null;
  readonly tag: string;
  readonly news: string;
  readonly notification_id: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly metadata: Record<string, unknown>;
  /** Still for that member, who has not read it and wants to be pushed to. */
  readonly is_wanted: boolean;
}

export interface PushesParts extends Pick<InsightsTools, 'sql' | 'clock'> {
  readonly sender: () => Promise<PushSender>;
}

/**
 * Pushes notifications to browsers: a row for each browser and tag, which any replica attends to when it is due. What has to be
 * said is read at the last moment: who has read it meanwhile, may see it no more or was erased is told nothing.
 */
export class Pushes {
  readonly job: DueJob;
  readonly #parts: PushesParts;
  readonly #ofServices = new SlowPlaces(mostToOne, atOnce);
  readonly #ofOrganizations = new SlowPlaces(mostOfOne, atOnce);

  constructor(parts: PushesParts) {
    this.#parts = parts;
    const { sql, clock } = parts;
    const rows = new DueRows<Due>(sql, {
      table: 'pushes',
      key: 'id',
      due: 'due',
      owner: 'organization_id',
      columns: 'id, organization_id',
      leaseMs,
    });
    this.job = attending({ name: 'pushes', clock, rows, attend: (due) => this.#attend(due), atOnce });
  }

  /** Within the transaction that tells them; `job.wake()` afterwards. */
  async put(sql: Sql, organizationId: string, told: readonly Told[]): Promise<void> {
    if (told.length === 0) return;
    await sql.query(
      `INSERT INTO pushes AS p (organization_id, subscription_id, tag, notification_id, told_at, due)
       SELECT $1, s.id, t.tag, t.id, $5::timestamptz, greatest($5::timestamptz, s.rests_until)
         FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS t(id, user_id, tag)
         JOIN push_subscriptions s ON s.organization_id = $1 AND s.user_id = t.user_id
        ORDER BY s.id, t.tag FOR KEY SHARE OF s
       ON CONFLICT (subscription_id, tag) DO UPDATE
          SET notification_id = excluded.notification_id, news = p.news + 1, attempts = 0, told_at = excluded.told_at,
              due = coalesce(p.due, greatest(excluded.due, p.pushed_at + interval '${restMs} ms'))`,
      [
        organizationId,
        told.map(({ id }) => id),
        told.map(({ userId }) => userId),
        told.map(({ tag }) => tag),
        new Date(this.#parts.clock.now()),
      ],
    );
  }

  async #attend({ id, organization_id: organizationId }: Due): Promise<void> {
    const { sql, clock, sender } = this.#parts;
    const by = await sender();
    const waiting = await this.#read(id);
    if (waiting === undefined) return;
    if (!waiting.is_wanted) return this.#settle(id, waiting, {});
    const now = clock.now();
    if (waiting.rests_until !== null && waiting.rests_until.getTime() > now)
      return this.#later(id, waiting.rests_until.getTime());
    // Another replica has the key that it was made for, or it goes soon.
    if (waiting.vapid_key !== by.publicKey) return this.#later(id, now + restMs);
    const giveBack = this.#place(organizationId, new URL(waiting.endpoint).origin);
    if (giveBack === undefined) return this.#later(id, now + noPlaceMs);
    try {
      // Counted before: whoever dies meanwhile has tried.
      const attempts = await this.#begin(id);
      const { notification_id: notificationId, type, title, body, tag, metadata } = waiting;
      const payload = { id: notificationId, type, title, body, tag, url: pageOf(type, metadata) };
      const pushed = await by.push(waiting, payload, now);
      await outcomeOf(sql, waiting.subscription_id, pushed, clock.now());
      if (pushed.outcome === 'failed') await this.#failed(id, waiting, attempts, pushed);
      else await this.#settle(id, waiting, { pushedAt: clock.now() });
    } finally {
      giveBack();
    }
  }

  #place(organizationId: string, origin: string): (() => void) | undefined {
    const [ofOrganization, ofService] = [this.#ofOrganizations.take(organizationId), this.#ofServices.take(origin)];
    if (ofOrganization !== undefined && ofService !== undefined)
      return () => {
        ofOrganization();
        ofService();
      };
    ofOrganization?.();
    ofService?.();
    return undefined;
  }

  async #read(id: string): Promise<Waiting | undefined> {
    const [row] = await this.#parts.sql.query<Waiting>(
      `SELECT s.id AS subscription_id, s.endpoint, s.p256dh, s.auth, s.vapid_key, s.rests_until, p.tag, p.news,
              n.id AS notification_id, n.type, n.title, n.body, n.metadata,
              coalesce(NOT n.is_read AND (m.preferences ->> 'pushNotifications')::boolean
                       AND (n.needs IS NULL OR n.needs = ANY (m.permissions)), false) AS is_wanted
         FROM pushes p
         JOIN push_subscriptions s ON s.id = p.subscription_id
         LEFT JOIN notifications n ON n.id = p.notification_id AND n.user_id = s.user_id
         LEFT JOIN audience_members m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
        WHERE p.id = $1`,
      [id],
    );
    return row;
  }

  async #begin(id: string): Promise<number> {
    const [row] = await this.#parts.sql.query<{ attempts: number }>(
      'UPDATE pushes SET attempts = attempts + 1 WHERE id = $1 RETURNING attempts',
      [id],
    );
    return row?.attempts ?? mostAttempts;
  }

  async #later(id: string, at: number): Promise<void> {
    const { sql, clock } = this.#parts;
    await sql.query('UPDATE pushes SET due = $2 WHERE id = $1', [id, new Date(at)]);
    clock.at(at, () => this.job.wake());
  }

  async #failed(
    id: string,
    waiting: Waiting,
    attempts: number,
    { retryAfterMs }: Extract<Pushed, { outcome: 'failed' }>,
  ) {
    const { sql, clock } = this.#parts;
    const pause = retryAfterMs ?? pausesMs[attempts - 1] ?? 0;
    const at = new Date(clock.now() + pause);
    // What has come meanwhile has attempts of its own, no sooner.
    const [row] = await sql.query<{ due: Date | null }>(
      `UPDATE pushes SET due = CASE WHEN news <> $3 OR ($4 AND $2 <= told_at + interval '${patienceMs} ms') THEN $2::timestamptz END
        WHERE id = $1 RETURNING due`,
      [id, at, waiting.news, attempts < mostAttempts],
    );
    if (row?.due) clock.at(row.due.getTime(), () => this.job.wake());
  }

  /** It is over, but for what has come meanwhile. */
  async #settle(id: string, { news }: Waiting, { pushedAt }: { readonly pushedAt?: number }): Promise<void> {
    const { sql, clock } = this.#parts;
    const next = new Date(pushedAt === undefined ? clock.now() : pushedAt + restMs);
    const [row] = await sql.query<{ due: Date | null }>(
      `UPDATE pushes SET pushed_at = coalesce($4, pushed_at), attempts = 0, due = CASE WHEN news <> $2 THEN $3::timestamptz END
        WHERE id = $1 RETURNING due`,
      [id, news, next, pushedAt === undefined ? null : new Date(pushedAt)],
    );
    if (row?.due) clock.at(row.due.getTime(), () => this.job.wake());
  }
}

/** What a push service has said of a subscription. @returns whether it is removed */
export async function outcomeOf(sql: Sql, id: string, pushed: Pushed, now: number): Promise<boolean> {
  const at = new Date(now);
  switch (pushed.outcome) {
    case 'taken':
      await sql.query('UPDATE push_subscriptions SET last_success_at = $2, refusals = 0 WHERE id = $1', [id, at]);
      return false;
    case 'gone':
      await sql.query('DELETE FROM push_subscriptions WHERE id = $1', [id]);
      return true;
    case 'refused': {
      await sql.query('UPDATE push_subscriptions SET refusals = refusals + 1 WHERE id = $1', [id]);
      const removed = await sql.query(
        `DELETE FROM push_subscriptions WHERE id = $1 AND refusals >= ${mostRefusals} RETURNING 1`,
        [id],
      );
      return removed.length > 0;
    }
    case 'failed': {
      if (pushed.retryAfterMs === undefined) return false;
      const restsUntil = new Date(now + Math.min(pushed.retryAfterMs, patienceMs));
      await sql.query('UPDATE push_subscriptions SET rests_until = $2 WHERE id = $1', [id, restsUntil]);
      return false;
    }
  }
}
