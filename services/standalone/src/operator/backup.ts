import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backupDatabase } from '@messaging-gateway/backup';
import { schemas } from '../services.ts';
import { keepNewest, keptBackups, nameOfBackup, scratchOption, withStore } from './stored-backups.ts';
import { Usage, withDatabase, type Given, type Said, type Verb } from './verb.ts';

export const backup: Verb = {
  summary: 'Copies the whole database at one moment into a file, or into the object store, while the gateway goes on',
  usage: ['backup <file> [--force]', 'backup --to-store [--keep <number>] [--scratch <folder>]'],
  // `--overwrite` is what `--force` was called before.
  options: {
    force: { type: 'boolean' },
    overwrite: { type: 'boolean' },
    'to-store': { type: 'boolean' },
    keep: { type: 'string' },
    ...scratchOption,
  },
  run: async ({ args, flags }) => {
    if (flags['to-store'] === true) {
      if (args.length > 0) throw new Usage('backup --to-store takes no file.');
      return backUpToStore(flags);
    }
    const [given, ...rest] = args;
    if (given === undefined || rest.length > 0) throw new Usage('backup needs the name of one file.');
    const file = resolve(given);
    if (existsSync(file) && flags['force'] !== true && flags['overwrite'] !== true)
      throw new Error(`Nothing was backed up: ${file} is there already. Take another name, or add --force.`);
    if (!existsSync(dirname(file))) throw new Error(`Nothing was backed up: there is no folder ${dirname(file)}.`);
    return withDatabase('beside', async ({ databaseUrl, settings }) => {
      const { rows } = await backupDatabase(databaseUrl, schemas, file);
      const keep =
        settings.databaseUrl === undefined
          ? `Keep ${settings.dataDirectory}/secrets.json and erasures.jsonl with it: without them it cannot be restored. The sessions folder stays where it is.`
          : 'Keep ENCRYPTION_KEY with it: without it what is sealed cannot be read.';
      return { data: { file, rows }, lines: [`Backed up ${rows} rows to ${file}.`, keep] };
    });
  },
};

/** The newest are kept when the new one is stored, not before. */
function backUpToStore(flags: Given['flags']): Promise<Said> {
  const kept = keptBackups(flags);
  return withStore(flags, (store, file) =>
    withDatabase('beside', async ({ databaseUrl }) => {
      const { rows } = await backupDatabase(databaseUrl, schemas, file);
      const name = nameOfBackup(new Date());
      await store.put(name, file);
      const removed = kept === undefined ? [] : await keepNewest(store, kept);
      const lines = [
        `Backed up ${rows} rows to backups/${name} in the object store.`,
        'Keep ENCRYPTION_KEY apart from it.',
      ];
      if (removed.length > 0) lines.push(`Taken away: ${removed.join(', ')}`);
      return { data: { name, rows, removed }, lines };
    }),
  );
}
