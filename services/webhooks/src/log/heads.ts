import { Batcher, type Sql } from '@messaging-gateway/service';
import { beginning } from './event-log.ts';

/** Readers who wait look again each second: all of them together ask so often at most, milliseconds. */
const restMs = 20;
const atOnce = 1_000;

/** Where the logs of organizations end, asked for by many readers with one statement. */
export class Heads {
  readonly #batcher: Batcher<string, bigint>;

  constructor(sql: Sql) {
    this.#batcher = new Batcher(
      async (organizationIds) => {
        const rows = await sql.query<{ organization_id: string; last: string }>(
          'SELECT organization_id, last FROM log_heads WHERE organization_id = ANY ($1::uuid[])',
          [[...new Set(organizationIds)]],
        );
        const lasts = new Map(rows.map(({ organization_id: id, last }) => [id, BigInt(last)]));
        return organizationIds.map((id) => lasts.get(id) ?? beginning);
      },
      atOnce,
      restMs,
    );
  }

  /** As it was after this was asked, or later. */
  last = (organizationId: string): Promise<bigint> => this.#batcher.add(organizationId);
}
