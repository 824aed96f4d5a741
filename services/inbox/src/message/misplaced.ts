import { every, type Job } from '@messaging-gateway/service';
import type { MessageTools } from './tools.ts';
import { firstIdAt } from './message-id.ts';
import { placeAt } from './place.ts';

/** Ids looked at in one statement. */
const portion = 5000;

type Tools = Pick<MessageTools, 'sql' | 'log'>;

/** `$1`: an id. Whether it tells a time. */
const tellsTime = (id: string): string => `substr(${id}::text, 15, 1) = '7'`;

/**
 * Puts right what an earlier version has stored under ids that tell no time (bulk messages): each goes to the place of its time,
 * and its conversation is told what was said last. Walks through all ids once, in portions, beside the service's work; the walk is
 * repeated after an hour until it finds nothing, since replicas of that version may have gone on writing for a while.
 *
 * @see docs/decisions/0540-places-of-messages.md
 */
export const misplaced = (tools: Tools): Job =>
  every('1h', 'messages out of place', async (signal) => {
    if (await isDone(tools)) return;
    const found = await putRight(tools, signal);
    if (signal.aborted) return;
    if (found === 0) await tools.sql.query('INSERT INTO messages_put_right VALUES (now())');
    else tools.log.info('Messages were put into the place of their time', { messages: found });
  });

const isDone = async ({ sql }: Tools): Promise<boolean> =>
  (await sql.query('SELECT 1 FROM messages_put_right LIMIT 1')).length > 0;

interface Looked {
  readonly looked: number;
  readonly last: string | null;
  readonly wrong: readonly string[];
}

/** @returns how many messages and conversations were changed */
async function putRight(tools: Tools, signal: AbortSignal): Promise<number> {
  let found = 0;
  for (let after = firstIdAt(0); !signal.aborted;) {
    const [row] = await tools.sql.query<Looked>(
      `SELECT count(*)::int AS looked, (array_agg(id ORDER BY id DESC))[1] AS last,
              coalesce(array_agg(id) FILTER (WHERE NOT ${tellsTime('id')}), '{}') AS wrong
         FROM (SELECT id FROM messages WHERE id > $1 ORDER BY id LIMIT ${portion}) walked`,
      [after],
    );
    if (row === undefined || row.last === null) break;
    if (row.wrong.length > 0) found += await move(tools, row.wrong);
    after = row.last;
  }
  for (let more = portion; more === portion && !signal.aborted;) {
    more = await tellLast(tools);
    found += more;
  }
  return found;
}

/** Writers wait for a moment: what they are told of a message must find it, here or there. */
const lock = 'LOCK TABLE messages IN SHARE ROW EXCLUSIVE MODE';

async function move({ sql }: Tools, ids: readonly string[]): Promise<number> {
  return sql.transaction(async (inside) => {
    await inside.query(lock);
    const rows = await inside.query<{ id: string; timestamp: Date }>(
      'SELECT id, "timestamp" FROM messages WHERE id = ANY ($1) AND message_id IS NULL',
      [ids],
    );
    const places = rows.map(({ id, timestamp }) => ({ id, place: placeAt(id, timestamp.getTime()) }));
    await inside.query(
      `WITH given AS (SELECT * FROM jsonb_to_recordset($1) given(id uuid, place uuid)),
            known AS (INSERT INTO message_places SELECT id, place FROM given ON CONFLICT DO NOTHING)
       UPDATE messages SET id = given.place, message_id = given.id FROM given WHERE messages.id = given.id`,
      [JSON.stringify(places)],
    );
    return rows.length;
  });
}

/** Conversations whose newest message is named by an id that tells no time. @returns how many */
async function tellLast({ sql }: Tools): Promise<number> {
  return sql.transaction(async (inside) => {
    await inside.query(lock);
    const rows = await inside.query(
      `WITH wrong AS (SELECT id FROM conversations WHERE NOT ${tellsTime('last_message_id')} ORDER BY id LIMIT ${portion})
       UPDATE conversations c SET last_message_id = coalesce(
                (SELECT newest.id
                   FROM (SELECT c.id UNION ALL SELECT a.id FROM conversation_aliases a WHERE a.conversation_id = c.id) known(id)
                  CROSS JOIN LATERAL (
                          SELECT one.id FROM messages one WHERE one.conversation_id = known.id ORDER BY one.id DESC LIMIT 1
                        ) newest
                  ORDER BY newest.id DESC LIMIT 1),
                ${idOfMoment('coalesce(c.cleared_at, c.created_at)')})
         FROM wrong WHERE c.id = wrong.id RETURNING 1`,
    );
    return rows.length;
  });
}

/** For a conversation whose messages are gone. */
const idOfMoment = (time: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;
