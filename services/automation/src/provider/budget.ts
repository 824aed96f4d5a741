import type { Clock } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { v7 } from 'uuid';

/** Tokens that a call may use, set aside until it is known how many it has used. */
export interface Reservation {
  readonly id: string;
  readonly organizationId: string;
  /** First day of the month in UTC, `YYYY-MM-DD`. */
  readonly month: string;
}

/**
 * Tokens set aside are free again after so long, milliseconds: who set them aside has died by then, as a call ends in a
 * third of it (`longestCallMs`).
 */
const keptMs = 15 * 60_000;
/** Budgets of months that are over are kept so long, days. */
const keptDays = 400;

/**
 * Tokens of organizations by month in UTC: one row for each, which every replica changes with one statement that
 * compares, so that together they never set aside more than there is left.
 */
export class Budget {
  readonly #sql: Sql;
  readonly #clock: Clock;

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** @param limit tokens of a month; undefined: any number. @returns undefined: they do not fit into what is left */
  async reserve(organizationId: string, tokens: number, limit?: number): Promise<Reservation | undefined> {
    const reserved = await this.#reserve(organizationId, tokens, limit);
    if (reserved !== undefined) return reserved;
    // What dead processes had set aside may be all that is in the way.
    await this.#expire(organizationId);
    return this.#reserve(organizationId, tokens, limit);
  }

  /** Puts what was used in the place of what was set aside. @param used 0: the call has failed */
  async settle({ id, organizationId, month }: Reservation, used: number): Promise<void> {
    await this.#sql.query(
      `WITH gone AS (DELETE FROM ai_reservations WHERE id = $1 RETURNING tokens)
       UPDATE ai_budgets SET used = used + $4, reserved = reserved - coalesce((SELECT gone.tokens FROM gone), 0)
        WHERE organization_id = $2 AND month = $3`,
      [id, organizationId, month, used],
    );
  }

  /** Tokens that were used in this month, and when the next one begins. */
  async used(organizationId: string): Promise<{ readonly used: number; readonly resetsAt: Date }> {
    const now = new Date(this.#clock.now());
    const [row] = await this.#sql.query<{ used: string }>(
      'SELECT used FROM ai_budgets WHERE organization_id = $1 AND month = $2',
      [organizationId, monthOf(now)],
    );
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    return { used: Number(row?.used ?? 0), resetsAt };
  }

  /** Gives back what dead processes had set aside, and forgets months that are long over. */
  async tidy(): Promise<void> {
    await this.#expire();
    const before = new Date(this.#clock.now() - keptDays * 86_400_000);
    await this.#sql.query('DELETE FROM ai_budgets WHERE month < $1 AND reserved = 0', [monthOf(before)]);
  }

  async #reserve(organizationId: string, tokens: number, limit?: number): Promise<Reservation | undefined> {
    const now = this.#clock.now();
    const reservation = { id: v7(), organizationId, month: monthOf(new Date(now)) };
    const granted = await this.#sql.query(
      `WITH granted AS (
         INSERT INTO ai_budgets AS budget (organization_id, month, used, reserved)
         SELECT $1, $2, 0, $3::bigint WHERE $4::bigint IS NULL OR $3 <= $4
         ON CONFLICT (organization_id, month) DO UPDATE SET reserved = budget.reserved + excluded.reserved
          WHERE $4 IS NULL OR budget.used + budget.reserved + excluded.reserved <= $4
         RETURNING organization_id, month
       )
       INSERT INTO ai_reservations (id, organization_id, month, tokens, expires_at)
       SELECT $5, organization_id, month, $3, $6 FROM granted RETURNING id`,
      [organizationId, reservation.month, tokens, limit ?? null, reservation.id, new Date(now + keptMs)],
    );
    return granted.length === 0 ? undefined : reservation;
  }

  async #expire(organizationId?: string): Promise<void> {
    await this.#sql.query(
      `WITH gone AS (
         DELETE FROM ai_reservations WHERE expires_at <= $1 AND ($2::uuid IS NULL OR organization_id = $2)
         RETURNING organization_id, month, tokens
       ), sums AS (
         SELECT organization_id, month, sum(tokens) AS tokens FROM gone GROUP BY organization_id, month
       )
       UPDATE ai_budgets budget SET reserved = budget.reserved - sums.tokens
         FROM sums WHERE budget.organization_id = sums.organization_id AND budget.month = sums.month`,
      [new Date(this.#clock.now()), organizationId ?? null],
    );
  }
}

const monthOf = (time: Date): string => `${time.toISOString().slice(0, 7)}-01`;
