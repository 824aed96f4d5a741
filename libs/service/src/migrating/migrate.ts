import { databaseError, isUnavailable } from '@messaging-gateway/runtime';
import { Client, type ClientBase } from 'pg';
import { endWithClient } from '../patient-statement.ts';
import { waitFor } from '../waiting.ts';
import { atOnce, concurrentIndex, makeConcurrently } from './concurrent-index.ts';
import { contractPrefix, stepsOf, type MigrationSet, type Step } from './migration-step.ts';
import { lockTimeoutMs, whenFree, type Patience } from './patience.ts';
import { processesBefore } from './schema-version.ts';

export interface MigrateOptions extends Omit<Patience, 'signal'> {
  readonly url: string;
  readonly schema: string;
  readonly sets: readonly MigrationSet[];
  /** Ends what is under way; the server takes it back. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
  /** `contract`: also what takes away. Default `expand`. */
  readonly phase?: 'expand' | 'contract';
}

/** Names of the steps. */
export interface Migrated {
  readonly applied: readonly string[];
  /** Steps that take away and have not been asked for. */
  readonly pending: readonly string[];
  /** Of PostgreSQL, for example 180004. */
  readonly serverVersion: number;
}

/** The turn to migrate a schema. Held beside transactions, it is not waited for within one: see `makeConcurrently`. */
const turn = 'SELECT pg_try_advisory_lock(7260816, hashtext($1)) AS taken';
/** Also of the version before, which waits for it inside of a statement: never held while an index is made. */
const turnOfStep = 'SELECT pg_advisory_xact_lock(7260815, hashtext($1))';

/**
 * Makes the schema when it is absent, at once; otherwise applies each missing step by itself, in a transaction that
 * stands in nobody's way for long, or, for an index, beside all transactions. Several processes may start at once: one
 * migrates, the others wait. Steps that a newer version has added are left alone.
 *
 * @throws Error when a step that was applied has been changed since, when a step fails, when a newer version has taken
 * away what this one needs, or when a process lives that needs what is to be taken away
 * @throws Unavailable when the database does not answer; the signal's reason when it is aborted
 * @see docs/decisions/0561-migrations-in-two-phases.md
 */
export async function migrate(given: MigrateOptions): Promise<Migrated> {
  const { url, schema, signal = never } = given;
  const options = { ...given, signal };
  const client = new Client({ connectionString: url, application_name: `${schema} migrations` });
  client.on('error', () => undefined);
  const end = (): void => void client.end().catch(() => undefined);
  signal.throwIfAborted();
  signal.addEventListener('abort', end);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int AS version`,
    );
    await endWithClient(client);
    return { ...(await bringUpToDate(client, options)), serverVersion: rows[0]?.version ?? 0 };
  } catch (error) {
    signal.throwIfAborted();
    throw databaseError(error);
  } finally {
    signal.removeEventListener('abort', end);
    await client.end().catch(() => undefined);
  }
}

/** For those whom nothing ends. */
const never = new AbortController().signal;

type Outcome = Omit<Migrated, 'serverVersion'>;

async function bringUpToDate(client: ClientBase, options: MigrateOptions & Patience): Promise<Outcome> {
  const { schema, log, signal, sets, phase = 'expand' } = options;
  const steps = stepsOf(schema, sets);
  const isMissing = (noted: ReadonlyMap<string, string>) => (step: Step) => !noted.has(step.name);
  const isWanted = (step: Step): boolean => phase === 'contract' || step.contract === undefined;
  const before = await notedIn(client, schema);
  if (before !== undefined) assertKnown(schema, steps, before);
  const missing = before === undefined ? steps : steps.filter(isMissing(before));
  const pending = missing.filter((step) => !isWanted(step)).map(({ name }) => name);
  if (before !== undefined && !missing.some(isWanted)) return { applied: [], pending };

  const takeTurn = async (): Promise<void> => {
    const { rows } = await client.query<{ taken: boolean }>(turn, [schema]);
    if (rows[0]?.taken !== true) throw new Error('another process migrates it');
  };
  await waitFor({ what: `the schema ${schema}`, attempt: takeTurn, log, signal });
  if (before === undefined && (await make(client, schema, steps)))
    return { applied: steps.map(({ name }) => name), pending: [] };
  const noted = (await notedIn(client, schema)) ?? new Map<string, string>();
  assertKnown(schema, steps, noted);
  const applied: string[] = [];
  for (const step of steps.filter(isMissing(noted)).filter(isWanted)) {
    const begun = performance.now();
    await named(step, schema, () => apply(client, step, options));
    log.info('Migrated', { step: step.name, schema, seconds: Math.round(performance.now() - begun) / 1000 });
    applied.push(step.name);
  }
  return { applied, pending };
}

/** @returns checksums by name; undefined: nothing was ever applied */
async function notedIn(client: ClientBase, schema: string): Promise<ReadonlyMap<string, string> | undefined> {
  const { rows: tables } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    `"${schema}".migrations`,
  ]);
  if (tables[0]?.there !== true) return undefined;
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT name, checksum FROM "${schema}".migrations`,
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function assertKnown(schema: string, steps: readonly Step[], noted: ReadonlyMap<string, string>): void {
  for (const { name, checksum } of steps) {
    if ((noted.get(name) ?? checksum) !== checksum)
      throw new Error(`The migration ${name} of ${schema} was changed after it had been applied.`);
  }
  const known = new Set(steps.map(({ name }) => name));
  const unknown = [...noted.keys()].find((name) => name.startsWith(contractPrefix) && !known.has(name));
  if (unknown !== undefined)
    throw new Error(
      `A newer version has taken away what this one needs of the schema ${schema} (${unknown}): start that version, or restore a backup of before.`,
    );
}

/** A schema that nobody uses yet: all of it or nothing. @returns false: somebody was faster */
async function make(client: ClientBase, schema: string, steps: readonly Step[]): Promise<boolean> {
  return inTransaction(client, async () => {
    await client.query(turnOfStep, [schema]);
    if ((await notedIn(client, schema)) !== undefined) return false;
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await client.query(
      `CREATE TABLE "${schema}".migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    for (const step of steps) {
      await named(step, schema, () => carryOut(client, schema, { ...step, sql: atOnce(step.sql) }));
    }
    return true;
  });
}

async function apply(client: ClientBase, step: Step, options: MigrateOptions & Patience): Promise<void> {
  const { schema } = options;
  const index = concurrentIndex(step.sql);
  if (index !== undefined) {
    await client.query(`set search_path to "${schema}", public`);
    await whenFree(client, schema, step.name, () => makeConcurrently(client, schema, index), options);
    await note(client, schema, step);
    return;
  }
  await whenFree(
    client,
    schema,
    step.name,
    () =>
      inTransaction(client, async () => {
        await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
        await client.query(turnOfStep, [schema]);
        if ((await notedIn(client, schema))?.has(step.name) === true) return;
        if (step.contract !== undefined) await assertNobodyNeeds(client, step.contract);
        await carryOut(client, schema, step);
      }),
    options,
  );
}

async function carryOut(client: ClientBase, schema: string, step: Step): Promise<void> {
  await client.query(`set local search_path to "${schema}", public`);
  await client.query(step.sql);
  await note(client, schema, step);
}

const note = (client: ClientBase, schema: string, { name, checksum }: Step): Promise<unknown> =>
  client.query(`INSERT INTO "${schema}".migrations (name, checksum) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
    name,
    checksum,
  ]);

async function assertNobodyNeeds(client: ClientBase, version: number): Promise<void> {
  const old = await processesBefore(client, version);
  if (old > 0) throw new Error(`${old} processes of an earlier version still run. Replace them first.`);
}

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** A fault of the step itself, with its name. */
async function named(step: Step, schema: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isUnavailable(error) || (error as Error).name === 'AbortError') throw error;
    throw new Error(`The migration ${step.name} of ${schema} failed: ${(error as Error).message}`, { cause: error });
  }
}
