import type { ServiceTools } from '@messaging-gateway/service';
import type { ConnectionStatus } from '../profile/profile-events.ts';
import type { Held } from './holder.ts';

interface Row {
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly is_wanted: boolean;
}

/**
 * Compares the profiles held with their rows: what people want is as the rows say, where a connection stands is as it
 * is here. Both agree unless something was lost between them.
 */
export class Reconciling {
  readonly #tools: Pick<ServiceTools<unknown>, 'sql' | 'log'>;
  /** Those that were wanted here or there alone when they were last compared: a request may have been on its way. */
  #differing = new Set<string>();

  constructor(tools: Pick<ServiceTools<unknown>, 'sql' | 'log'>) {
    this.#tools = tools;
  }

  async compare(held: readonly Held[]): Promise<void> {
    const { sql, log } = this.#tools;
    const byId = new Map(held.map((one) => [one.lease.profileId, one]));
    if (byId.size === 0) return;
    const rows = await sql.query<Row>('select id, status, is_wanted from profiles where id = any($1::uuid[])', [
      [...byId.keys()],
    ]);
    const differed = this.#differing;
    this.#differing = new Set();
    for (const { id, status, is_wanted: isWanted } of rows) {
      const { connection, isLeft } = byId.get(id) as Held;
      if (isLeft || connection.isWanted === undefined) continue;
      if (connection.isWanted === isWanted) connection.tellAgain(status);
      else if (!differed.has(id)) this.#differing.add(id);
      else {
        log.warn('A profile is not as it is wanted', { profileId: id, isWanted });
        await (isWanted ? connection.connect('resumed') : connection.disconnect());
      }
    }
  }
}
