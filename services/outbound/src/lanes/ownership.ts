import type { Running, Sql } from '@messaging-gateway/service';

/** Who may hand over for a lane. In a single process: this one, with an epoch newer than any before. */
export interface Ownership extends Running {
  /** Sent with every hand-over; sessions refuses an older one than it has seen. */
  readonly epoch: () => number;
}

/** Takes all lanes at start. */
export function soleOwnership(sql: Sql): Ownership {
  let epoch = 0;
  return {
    epoch: () => epoch,
    start: async () => {
      const [row] = await sql.query<{ epoch: string }>(
        `insert into ownership as held (name, epoch) values ('lanes', 1)
         on conflict (name) do update set epoch = held.epoch + 1 returning epoch`,
      );
      epoch = Number(row?.epoch);
    },
    stop: async () => undefined,
  };
}
