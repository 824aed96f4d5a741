// `npm run backup -- <file>`: the whole database at one moment, while the gateway goes on.
import { resolve } from 'node:path';
import { backupDatabase } from '@messaging-gateway/event-sourcing';
import { runCommand, say } from './command.ts';
import { schemas } from './services.ts';

await runCommand('beside', async ({ databaseUrl, args, settings }) => {
  const [file] = args;
  if (file === undefined) throw new Error('Usage: npm run backup -- <file>');
  const { rows } = await backupDatabase(databaseUrl, schemas, resolve(file));
  say(`Backed up ${rows} rows to ${resolve(file)}.`);
  const embedded = settings.databaseUrl === undefined;
  say(
    embedded
      ? `Keep ${settings.dataDirectory}/secrets.json and erasures.jsonl with it; the sessions folder stays where it is.`
      : 'Keep ENCRYPTION_KEY with it: without it what is sealed cannot be read.',
  );
});
