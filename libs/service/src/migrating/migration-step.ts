import { createHash } from 'node:crypto';
import { inSchema } from '@messaging-gateway/event-sourcing';
import type { SqlMigration } from '../module.ts';

/** Migrations of one origin: of the journal, of the buses, of the service. */
export interface MigrationSet {
  readonly origin: string;
  readonly migrations: readonly SqlMigration[];
}

/** A migration as it is applied to a schema. */
export interface Step {
  /** Under which it is noted. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** See `SqlMigration.contract`. */
  readonly contract: number | undefined;
}

/** Prefix of steps that take something away: older versions know by it that they cannot work on the schema. */
export const contractPrefix = 'contract/';

export function stepsOf(schema: string, sets: readonly MigrationSet[]): Step[] {
  return sets.flatMap(({ origin, migrations }) =>
    migrations.map(({ name, sql: text, contract }) => {
      const sql = inSchema(text, schema);
      const checksum = createHash('sha256').update(sql).digest('hex').slice(0, 16);
      return { name: `${contract === undefined ? '' : contractPrefix}${origin}/${name}`, sql, checksum, contract };
    }),
  );
}
