import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** The database of a gateway in one process, beside it. @param directory its `DATA_DIR` */
export function databaseIn(directory: string): pg.Pool {
  const secrets = JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')) as { postgresPassword: string };
  const lines = readFileSync(join(directory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  return new pg.Pool({
    host: '127.0.0.1',
    port: Number(lines[3]),
    user: 'gateway',
    password: secrets.postgresPassword,
    database: 'gateway',
    max: 2,
    options: '-c TimeZone=UTC',
  });
}

interface Stored {
  readonly organizationId: string;
  readonly profileId: string;
  readonly conversations: number;
  /** Messages of the conversation that comes first. The others have one each. */
  readonly messages: number;
  /** Addresses of pictures, which are those of every fifth message in turn. */
  readonly pictures?: readonly string[];
}

/**
 * Puts conversations and messages straight into the tables of the inbox: texts of all lengths, every fifth an answer to the one before, two of
 * five outgoing.
 *
 * @returns the id of the conversation with many messages, which is the newest
 */
export async function storeInbox(
  database: pg.Pool,
  { organizationId, profileId, conversations, messages, pictures = [] }: Stored,
): Promise<string> {
  await database.query(chats, [organizationId, profileId, conversations, []]);
  await database.query(chat, [organizationId, profileId, messages, pictures]);
  await database.query('ANALYZE inbox.messages');
  await database.query('ANALYZE inbox.conversations');
  const { rows } = await database.query<{ id: string }>(
    "SELECT id FROM inbox.conversations WHERE profile_id = $1 AND name = 'Many messages'",
    [profileId],
  );
  return rows[0]?.id ?? '';
}

/** A UUIDv7 of a time, the same for the same word. */
const idAt = (at: string, word: string): string =>
  `(lpad(to_hex(floor(extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${word}), 1, 3) || '8' || substr(md5(${word}), 4, 15))::uuid`;

const said = "'Message ' || n || repeat(' of some words', (n * 7 % 23)::int)";
const message = `
  INSERT INTO inbox.messages (id, organization_id, profile_id, conversation_id, direction, "from", "to", type, content, quoted_message_id, status,
                              "timestamp", created_at)
  SELECT id, $1::uuid, $2::uuid, conversation, CASE WHEN n % 5 < 3 THEN 'incoming' ELSE 'outgoing' END, jid, jid,
         CASE WHEN pictured THEN 'image' ELSE 'text' END,
         CASE WHEN pictured THEN jsonb_build_object('type', 'image', 'url', ($4::text[])[1 + n / 5 % cardinality($4::text[])], 'caption', 'Picture ' || n)
              ELSE jsonb_build_object('type', 'text', 'text', ${said}) END,
         quoted, CASE WHEN n % 5 < 3 THEN 'received' ELSE 'read' END, at, at
    FROM (SELECT *, n % 5 = 0 AND cardinality($4::text[]) > 0 AS pictured FROM made) of`;

/** One message and one conversation a minute, with names as people have them. */
const chats = `
  WITH made AS MATERIALIZED (
    SELECT n, at, ${idAt('at', "$2::uuid || ' ' || n")} AS id, md5('chat ' || $2::uuid || n)::uuid AS conversation, jid, NULL::uuid AS quoted
      FROM generate_series(1, $3::int) n,
           LATERAL (SELECT date_trunc('milliseconds', now() - make_interval(mins => n + 10)) AS at, '4917' || 10000000 + n || '@c.us' AS jid) times
  ), stored AS (${message})
  INSERT INTO inbox.conversations (id, organization_id, profile_id, jid, name, unread_count, last_message_id, created_at)
  SELECT conversation, $1::uuid, $2::uuid, jid, CASE WHEN n % 4 = 0 THEN NULL ELSE 'Person ' || n END, CASE WHEN n % 3 = 0 THEN n % 12 ELSE 0 END, id, at FROM made`;

const chat = `
  WITH made AS MATERIALIZED (
    SELECT n, at, ${idAt('at', "$2::uuid || ' many ' || n")} AS id, md5('many ' || $2::uuid)::uuid AS conversation, '4917099999999@c.us' AS jid,
           CASE WHEN n % 5 = 0 THEN lag(${idAt('at', "$2::uuid || ' many ' || n")}) OVER (ORDER BY n) END AS quoted
      FROM generate_series(1, $3::int) n,
           LATERAL (SELECT date_trunc('milliseconds', now() - make_interval(secs => ($3::int - n) * 60)) AS at) times
  ), stored AS (${message})
  INSERT INTO inbox.conversations (id, organization_id, profile_id, jid, name, unread_count, last_message_id, created_at)
  SELECT conversation, $1::uuid, $2::uuid, jid, 'Many messages', 0, id, at FROM made ORDER BY n DESC LIMIT 1`;
