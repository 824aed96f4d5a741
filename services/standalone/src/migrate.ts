// `npm run migrate [-- contract]`: brings the schemas up to date before a new version starts, or takes away what the old one needed.
import { createLogger, readSettings } from '@messaging-gateway/runtime';
import { migrate, storageSettings } from '@messaging-gateway/service';
import { readCommandSettings } from './command-settings.ts';
import { say } from './command.ts';
import { visitDatabase } from './database.ts';
import { migrations } from './migrations.ts';

const usage = 'Usage: npm run migrate [-- contract]';
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => stopping.abort(new Error('Ended before everything was migrated; what is done stays.')));

/** The URL alone is enough: where it is given nothing else is needed, and nothing is made. */
async function openDatabase(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { databaseUrl } = readSettings({ databaseUrl: storageSettings.databaseUrl }, process.env);
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => undefined };
  const settings = readCommandSettings(process.env);
  return visitDatabase(settings, settings.postgresPassword);
}

async function migrateAll(url: string, phase: 'expand' | 'contract'): Promise<void> {
  const log = createLogger({ level: 'info', json: process.env['NODE_ENV'] === 'production' });
  const pending: string[] = [];
  for (const [schema, sets] of Object.entries(migrations)) {
    const done = await migrate({ url, schema, sets, log, phase, signal: stopping.signal });
    say(`${schema}: ${done.applied.length === 0 ? 'up to date' : done.applied.join(', ')}`);
    pending.push(...done.pending.map((step) => `${schema} ${step}`));
  }
  if (pending.length > 0)
    say(`Left for \`npm run migrate -- contract\`, once no process of an earlier version runs: ${pending.join(', ')}`);
}

try {
  const [phase = 'expand', ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (phase !== 'expand' && phase !== 'contract')) throw new Error(usage);
  const database = await openDatabase();
  try {
    await migrateAll(database.url, phase);
  } finally {
    await database.close();
  }
  process.exit(0);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
