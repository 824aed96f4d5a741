// `npm run backup -- <file> [--overwrite]`: the whole database at one moment, while the gateway goes on.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backupDatabase } from '@messaging-gateway/event-sourcing';
import { runCommand, say, type CommandTools } from './command.ts';
import { schemas } from './services.ts';

/** @throws Error with a line for the operator */
function readArguments(args: readonly string[]): { readonly file: string; readonly overwrite: boolean } {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { overwrite: { type: 'boolean', default: false } },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new Error('Usage: npm run backup -- <file> [--overwrite]');
  return { file: resolve(file), overwrite: values.overwrite };
}

async function backup({ databaseUrl, args, settings }: CommandTools): Promise<void> {
  const { file } = readArguments(args);
  const { rows } = await backupDatabase(databaseUrl, schemas, file);
  say(`Backed up ${rows} rows to ${file}.`);
  const embedded = settings.databaseUrl === undefined;
  say(
    embedded
      ? `Keep ${settings.dataDirectory}/secrets.json and erasures.jsonl with it: without them it cannot be restored. The sessions folder stays where it is.`
      : 'Keep ENCRYPTION_KEY with it: without it what is sealed cannot be read.',
  );
}

await runCommand('beside', backup, async (args) => {
  const { file, overwrite } = readArguments(args);
  if (existsSync(file) && !overwrite)
    throw new Error(`Nothing was backed up: ${file} is there already. Take another name, or add --overwrite.`);
  if (!existsSync(dirname(file))) throw new Error(`Nothing was backed up: there is no folder ${dirname(file)}.`);
});
