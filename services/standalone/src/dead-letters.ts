// `npm run dead-letters -- list [service]`, `show <id>`, `put-back <service> <id>…`, `forget <service> <id>…`
import pg from 'pg';
import { runCommand, say } from './command.ts';
import { deadLetterDesk, lineOf, type DeadLetterDesk } from './dead-letter-desk.ts';
import { storages } from './services.ts';

const usage = `Usage: npm run dead-letters -- list [<service>]
       npm run dead-letters -- show <id>                      with the whole event, which may hold personal data
       npm run dead-letters -- put-back <service> <id>…|--all to be tried again within seconds
       npm run dead-letters -- forget <service> <id>…|--all   for good`;

await runCommand('beside', async ({ databaseUrl, args }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, application_name: 'dead letters' });
  const schemas = Object.fromEntries(Object.entries(storages).map(([name, { schema }]) => [name, schema]));
  try {
    await carryOut(deadLetterDesk(pool, schemas), args);
  } finally {
    await pool.end();
  }
});

async function carryOut(desk: DeadLetterDesk, [verb, target, ...rest]: readonly string[]): Promise<void> {
  if (verb === 'list') return showAll(await desk.list(target));
  if (target === undefined) throw new Error(usage);
  if (verb === 'show') return showWhole(await desk.find(target));
  if (rest.length === 0) throw new Error(usage);
  const ids = rest.includes('--all') ? undefined : rest;
  if (verb === 'put-back') say(`${await desk.putBack(target, ids)} put back: they are tried again within seconds.`);
  else if (verb === 'forget') say(`${await desk.forget(target, ids)} forgotten.`);
  else throw new Error(usage);
}

function showAll(letters: Awaited<ReturnType<DeadLetterDesk['list']>>): void {
  for (const letter of letters) say(lineOf(letter));
  say(letters.length === 1 ? '1 dead letter.' : `${letters.length} dead letters.`);
}

function showWhole(letters: Awaited<ReturnType<DeadLetterDesk['find']>>): void {
  if (letters.length === 0) throw new Error('There is no such dead letter.');
  for (const letter of letters) say(JSON.stringify(letter, undefined, 2));
}
