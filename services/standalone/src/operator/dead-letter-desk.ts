import {
  discardDeadLetters,
  listDeadLetters,
  putBackDeadLetters,
  type DeadLetter,
  type DeadLetterStore,
} from '@messaging-gateway/messaging';
import type { Pool } from 'pg';

/** The dead letters of all services, wherever they are kept. */
export interface DeadLetterDesk {
  /** @param service absent: all */
  list(service?: string): Promise<readonly DeadLetter[]>;
  find(id: string): Promise<readonly DeadLetter[]>;
  /** @param ids absent: all @returns how many */
  putBack(service: string, ids: readonly string[] | undefined): Promise<number>;
  /** @param ids absent: all @returns how many */
  forget(service: string, ids: readonly string[] | undefined): Promise<number>;
}

/** @param schemas by service */
export function deadLetterDesk(pool: Pool, schemas: Readonly<Record<string, string>>): DeadLetterDesk {
  const storesOf = async (service?: string): Promise<DeadLetterStore[]> => {
    const wanted = service === undefined ? Object.values(schemas) : [schemaOf(schemas, service)];
    const { rows } = await pool.query<{ schema: string }>(
      `SELECT table_schema AS SCHEMA FROM information_schema.tables
        WHERE table_name = 'dead_letters' AND table_schema = ANY($1) ORDER BY 1`,
      [wanted],
    );
    return rows.map(({ schema }) => ({ pool, schema }));
  };
  const summed = async (service: string, each: (store: DeadLetterStore) => Promise<number>): Promise<number> => {
    const counts = await Promise.all((await storesOf(service)).map(each));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const list: DeadLetterDesk['list'] = async (service) => {
    const letters = await Promise.all((await storesOf(service)).map((store) => listDeadLetters(store, service)));
    return letters.flat().sort((one, other) => one.failedAt.getTime() - other.failedAt.getTime());
  };
  return {
    list,
    find: async (id) => (await list()).filter((letter) => letter.id === id),
    putBack: (service, ids) => summed(service, (store) => putBackDeadLetters(store, ids, service)),
    forget: (service, ids) => summed(service, (store) => discardDeadLetters(store, service, ids)),
  };
}

function schemaOf(schemas: Readonly<Record<string, string>>, service: string): string {
  const schema = schemas[service];
  if (schema === undefined)
    throw new Error(`There is no service "${service}": one of ${Object.keys(schemas).join(', ')}.`);
  return schema;
}

/** Facts of a dead letter without personal data: of the reason only its class, since its words may quote what failed. */
export function factsOf({ id, consumer, name, organizationId, reason, failedAt }: DeadLetter): DeadLetterFacts {
  const [, cause = 'Error'] = /^(\w+)(?::|$)/.exec(reason) ?? [];
  return {
    failedAt: failedAt.toISOString(),
    service: consumer,
    kind: name,
    id,
    organizationId: organizationId ?? '-',
    cause,
  };
}

interface DeadLetterFacts {
  /** ISO 8601. */
  readonly failedAt: string;
  readonly service: string;
  readonly kind: string;
  readonly id: string;
  readonly organizationId: string;
  readonly cause: string;
}

export const lineOf = (letter: DeadLetter): string => Object.values(factsOf(letter)).join('  ');
