import { quotaReached } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';

const mebibyte = 1_048_576;
const dayMs = 86_400_000;

export interface MediaQuotaOptions {
  readonly database: Pool;
  readonly clock: Clock;
  /** MiB of an organization, at most; 0: any number. */
  readonly mebibytes: number;
  /** How long uploads are kept, days. */
  readonly days: number;
}

/**
 * The quota of what organizations put into the media store. Bytes are added up by the day on which they came, and a day
 * stops counting when its uploads are tidied away: nobody has to look at what is stored.
 */
export class MediaQuota {
  readonly #options: MediaQuotaOptions;

  constructor(options: MediaQuotaOptions) {
    this.#options = options;
  }

  /**
   * Requests at the same moment may exceed it by what each of them brings.
   *
   * @param bytes that are to come, as far as that is known
   * @throws Refused QUOTA_REACHED
   */
  async assertRoom(organizationId: string, bytes: number): Promise<void> {
    const { database, mebibytes } = this.#options;
    if (mebibytes === 0) return;
    const { rows } = await database.query<{ bytes: string | null }>(
      'SELECT sum(bytes) AS bytes FROM gateway.media_days WHERE organization_id = $1 AND day >= $2',
      [organizationId, this.#day(this.#options.days)],
    );
    if (Number(rows[0]?.bytes ?? 0) + bytes > mebibytes * mebibyte) throw quotaReached('MiB of media', mebibytes);
  }

  /** @param bytes that came; negative: that were taken back */
  async note(organizationId: string, bytes: number): Promise<void> {
    const { database, mebibytes } = this.#options;
    if (mebibytes === 0) return;
    await database.query(
      `INSERT INTO gateway.media_days AS m (organization_id, day, bytes) VALUES ($1, $2, $3)
       ON CONFLICT (organization_id, day) DO UPDATE SET bytes = m.bytes + excluded.bytes`,
      [organizationId, this.#day(0), bytes],
    );
  }

  /** Forgets days that count no more. */
  async forget(): Promise<void> {
    await this.#options.database.query('DELETE FROM gateway.media_days WHERE day < $1', [
      this.#day(this.#options.days + 1),
    ]);
  }

  /** Days since 1970. */
  #day(ago: number): number {
    return Math.floor(this.#options.clock.now() / dayMs - ago);
  }
}
