import pg from 'pg';
import { storages } from '../services.ts';
import { deadLetterDesk, factsOf, lineOf, type DeadLetterDesk } from './dead-letter-desk.ts';
import { Usage, withDatabase, type Given, type Said, type Verb } from './verb.ts';

export const deadLetters: Verb = {
  summary: 'What was given up, with its reason; show prints whole events, which may hold personal data',
  usage: [
    'dead-letters list [<service>]',
    'dead-letters show <id>',
    'dead-letters put-back <service> <id>…|--all',
    'dead-letters forget <service> <id>…|--all',
  ],
  options: { all: { type: 'boolean' } },
  run: async (given) => {
    assertUnderstood(given);
    return withDatabase('beside', async ({ databaseUrl }) => {
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, application_name: 'dead letters' });
      const schemas = Object.fromEntries(Object.entries(storages).map(([name, { schema }]) => [name, schema]));
      try {
        return await carryOut(deadLetterDesk(pool, schemas), given);
      } finally {
        await pool.end();
      }
    });
  },
};

/** @throws Usage */
function assertUnderstood({ args: [act = '', target, ...ids], flags }: Given): void {
  if (act === 'list') return;
  if (!['show', 'put-back', 'forget'].includes(act))
    throw new Usage('dead-letters needs list, show, put-back or forget.');
  if (target === undefined) throw new Usage(`dead-letters ${act} needs ${act === 'show' ? 'an id' : 'a service'}.`);
  if (act !== 'show' && ids.length === 0 && flags['all'] !== true)
    throw new Usage(`dead-letters ${act} needs ids, or --all.`);
}

async function carryOut(desk: DeadLetterDesk, { args: [act, target = '', ...rest], flags }: Given): Promise<Said> {
  if (act === 'list') return listed(await desk.list(target === '' ? undefined : target));
  if (act === 'show') return shown(await desk.find(target));
  const ids = flags['all'] === true ? undefined : rest;
  const count = act === 'put-back' ? await desk.putBack(target, ids) : await desk.forget(target, ids);
  const line = act === 'put-back' ? `${count} put back: they are tried again within seconds.` : `${count} forgotten.`;
  return { data: { count }, lines: [line] };
}

type Letters = Awaited<ReturnType<DeadLetterDesk['list']>>;

const listed = (letters: Letters): Said => ({
  data: letters.map(factsOf),
  lines: [...letters.map(lineOf), letters.length === 1 ? '1 dead letter.' : `${letters.length} dead letters.`],
});

function shown(letters: Letters): Said {
  if (letters.length === 0) throw new Error('There is no such dead letter.');
  return { data: letters, lines: letters.map((letter) => JSON.stringify(letter, undefined, 2)) };
}
