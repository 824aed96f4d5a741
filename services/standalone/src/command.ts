import { outliveReaders } from '@messaging-gateway/service/beginning';
import { readCommandSettings } from './command-settings.ts';
import type { CommandSettings } from './command-settings.ts';
import { openDatabase, visitDatabase } from './database.ts';

/** Tools of an operator's command. */
export interface CommandTools {
  readonly settings: CommandSettings;
  readonly databaseUrl: string;
  readonly args: readonly string[];
}

/** Whoever reads what a command says may be gone before it ends. */
outliveReaders();

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Runs an operator's command: settings, database, work; a failure is one line and a non-zero exit.
 *
 * @param mode `beside`: a gateway may run. `alone`: no gateway may run on this database
 * @param beforehand checks what it was given, before anything is made or opened
 */
export async function runCommand(
  mode: 'beside' | 'alone',
  work: (tools: CommandTools) => Promise<void>,
  beforehand: (args: readonly string[]) => Promise<void> = async () => undefined,
): Promise<void> {
  try {
    await beforehand(process.argv.slice(2));
    const settings = readCommandSettings(process.env);
    const open = mode === 'alone' ? openDatabase : visitDatabase;
    const database = await open(settings, settings.postgresPassword);
    try {
      await work({ settings, databaseUrl: database.url, args: process.argv.slice(2) });
    } finally {
      await database.close();
    }
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
