import type { ParseArgsConfig } from 'node:util';
import { openDatabase, visitDatabase } from '../database.ts';
import { readCommandSettings, type CommandSettings } from './command-settings.ts';

/** Arguments and flags on the command line after the verb. */
export interface Given {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** Output at the end: the lines, or with `--json` the data. */
export interface Said {
  readonly data: unknown;
  readonly lines: readonly string[];
}

/** A verb of the command line. */
export interface Verb {
  readonly summary: string;
  /** Words after `messaging-gateway`, a line for each form. */
  readonly usage: readonly string[];
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** @throws Usage; any other error is a failure, and its message one line for the operator */
  run(given: Given): Promise<Said>;
}

/** The arguments are not understood: exit code 2. */
export class Usage extends Error {
  override readonly name = 'Usage';
}

/** Where a verb works. */
export interface Place {
  readonly settings: CommandSettings;
  readonly databaseUrl: string;
}

/**
 * Opens the database of the installation for a verb.
 *
 * @param mode `beside`: a gateway may run. `alone`: no gateway may run on this database
 */
export async function withDatabase<T>(mode: 'beside' | 'alone', work: (place: Place) => Promise<T>): Promise<T> {
  const settings = readCommandSettings(process.env);
  const open = mode === 'alone' ? openDatabase : visitDatabase;
  const database = await open({ ...settings, say: note }, settings.postgresPassword);
  try {
    return await work({ settings, databaseUrl: database.url });
  } catch (error) {
    throw isUnmigrated(error) ? new Error(unmigrated, { cause: error }) : error;
  } finally {
    await database.close();
  }
}

/** Schema, table or column are not there. */
const isUnmigrated = (error: unknown): boolean =>
  ['3F000', '42P01', '42703'].includes(String((error as { code?: unknown }).code));

const unmigrated =
  'The database has not what this version works on: run messaging-gateway migrate first, or start the gateway, which does the same.';

/** Says on the side what happens meanwhile: standard output is for what is said at the end. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`);
