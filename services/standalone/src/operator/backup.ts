import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backupDatabase } from '@messaging-gateway/backup';
import { schemas } from '../services.ts';
import { Usage, withDatabase, type Verb } from './verb.ts';

export const backup: Verb = {
  summary: 'Copies the whole database at one moment into a file, while the gateway goes on',
  usage: ['backup <file> [--force]'],
  // `--overwrite` is what `--force` was called before.
  options: { force: { type: 'boolean' }, overwrite: { type: 'boolean' } },
  run: async ({ args: [given, ...rest], flags }) => {
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
