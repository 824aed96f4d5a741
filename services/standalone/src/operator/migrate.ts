import { createLogger, readSettings, silentLogger } from '@messaging-gateway/runtime';
import { migrate as migrateSchema, storageSettings } from '@messaging-gateway/service';
import { readCommandSettings } from './command-settings.ts';
import { visitDatabase } from '../database.ts';
import { migrations } from './migrations.ts';
import { note, Usage, type Said, type Verb } from './verb.ts';

export const migrate: Verb = {
  summary: 'Brings the schemas up to date before a new version starts; contract: takes away what the old one needed',
  usage: ['migrate', 'migrate contract'],
  run: async ({ args: [phase = 'expand', ...rest], flags }) => {
    if (rest.length > 0 || (phase !== 'expand' && phase !== 'contract'))
      throw new Usage('migrate takes nothing, or the word contract.');
    const database = await openDatabase();
    try {
      return await migrateAll(database.url, phase, flags['json'] === true);
    } finally {
      await database.close();
    }
  },
};

/** The URL alone is enough: where it is given nothing else is needed, and nothing is made. */
async function openDatabase(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { databaseUrl } = readSettings({ databaseUrl: storageSettings.databaseUrl }, process.env);
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => undefined };
  const settings = readCommandSettings(process.env);
  return visitDatabase({ ...settings, say: note }, settings.postgresPassword);
}

async function migrateAll(url: string, phase: 'expand' | 'contract', isQuiet: boolean): Promise<Said> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => stopping.abort(new Error('Ended before everything was migrated; what is done stays.')));
  const log = isQuiet ? silentLogger : createLogger({ level: 'info', json: process.env['NODE_ENV'] === 'production' });
  const schemas: { schema: string; applied: readonly string[]; pending: readonly string[] }[] = [];
  for (const [schema, sets] of Object.entries(migrations)) {
    const done = await migrateSchema({ url, schema, sets, log, phase, signal: stopping.signal });
    schemas.push({ schema, applied: done.applied, pending: done.pending });
  }
  const lines = schemas.map(
    ({ schema, applied }) => `${schema}: ${applied.length === 0 ? 'up to date' : applied.join(', ')}`,
  );
  const pending = schemas.flatMap((done) => done.pending.map((step) => `${done.schema} ${step}`));
  if (pending.length > 0)
    lines.push(
      `Left for \`npm run migrate -- contract\`, once no process of an earlier version runs: ${pending.join(', ')}`,
    );
  return { data: schemas, lines };
}
