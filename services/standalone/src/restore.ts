// `npm run restore -- <file>` into an empty database; `-- --adopt` for one that was brought over by other means.
import { resolve } from 'node:path';
import { adoptCluster, readErasureLog, restoreDatabase } from '@messaging-gateway/event-sourcing';
import pg from 'pg';
import { runCommand, say } from './command.ts';
import { erasureLogFile } from './database.ts';
import { rebuildViewsOf } from './rebuild.ts';
import { storages } from './services.ts';

await runCommand('alone', async ({ databaseUrl, args, settings }) => {
  const [file] = args;
  if (file === undefined) throw new Error('Usage: npm run restore -- <file>, or npm run restore -- --adopt');
  if (file === '--adopt') {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    await adoptCluster(
      pool,
      Object.values(storages).map(({ schema }) => schema),
    );
    await pool.end();
    say('The journals belong to this PostgreSQL cluster now.');
    return;
  }
  const erasures = await readErasureLog(erasureLogFile(settings.dataDirectory));
  const { rows, at, replayedErasures } = await restoreDatabase(resolve(file), databaseUrl, erasures);
  for (const [name, { schema }] of Object.entries(storages)) {
    if (replayedErasures.some((erasure) => erasure.schema === schema))
      await rebuildViewsOf(name, databaseUrl, settings);
  }
  say(`Restored ${rows} rows of ${at}; ${replayedErasures.length} erasures were repeated.`);
});
