import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Standalone } from '../standalone.ts';

/** The database of an installation, beside it, and its server. */
export function databaseOf({ directory }: Standalone): { readonly pool: pg.Pool; readonly pid: number } {
  const { postgresPassword: password } = JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')) as {
    postgresPassword: string;
  };
  const lines = readFileSync(join(directory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port: Number(lines[3]),
    user: 'gateway',
    password,
    database: 'gateway',
    max: 4,
    options: '-c search_path=insights,public',
  });
  return { pool, pid: Number(lines[0]) };
}

export interface Stored {
  readonly organizationId: string;
  readonly profileIds: readonly string[];
  readonly messages: number;
}

const spanSeconds = 30 * 86_400 - 3600;
const chats = 5000;

/**
 * Puts messages of the last 30 days into the inbox, with their entries in its journal, where everybody who reads it has been already (they are no
 * whole events, and a gateway that took a million of them in would have nothing else to do): in 5,000 chats in turn, of four messages three that come in and one
 * that answers; their statuses and types as they are among real ones.
 */
export async function storeMessages(pool: pg.Pool, { organizationId, profileIds, messages }: Stored): Promise<void> {
  const step = spanSeconds / messages;
  const portion = 50_000;
  for (let from = 0; from < messages; from += portion) {
    await pool.query(storing, [organizationId, profileIds, from, Math.min(from + portion, messages) - 1, step, chats]);
  }
  await pool.query('ANALYZE inbox.messages');
  await pool.query('ANALYZE inbox.events');
}

const storing = `
  WITH made AS MATERIALIZED (
    SELECT n, n % $6::int AS chat, (n / $6::int) % 4 <> 3 AS incoming, now() - make_interval(secs => ${spanSeconds} - n * $5::float8) AS at
      FROM generate_series($3::int, $4::int) n
  ), placed AS MATERIALIZED (
    SELECT n, chat, incoming, date_trunc('milliseconds', at) AS at, ($2::uuid[])[1 + chat % cardinality($2::uuid[])] AS profile,
           (overlay(overlay(md5('chat ' || chat) placing '5' from 13) placing '8' from 17))::uuid AS conversation,
           (lpad(to_hex(floor(extract(epoch FROM date_trunc('milliseconds', at)) * 1000)::bigint), 12, '0') || '7' || substr(md5('message ' || n), 1, 3)
             || '8' || substr(md5('message ' || n), 4, 15))::uuid AS id
      FROM made
  ), events AS (
    INSERT INTO inbox.events (transaction_id, stream, version, type, schema_version, append_id, data, metadata, at)
    SELECT '3', 'message-' || id, 1, CASE WHEN incoming THEN 'IncomingStored' ELSE 'OutgoingStored' END, 1, 1,
           jsonb_build_object('messageId', id, 'delivery', 'live', 'origin', CASE WHEN incoming THEN NULL WHEN n % 40 < 4 THEN 'broadcast' ELSE 'api' END),
           '{}', at FROM placed
  )
  INSERT INTO inbox.messages (id, organization_id, profile_id, conversation_id, direction, "from", "to", type, content, status, "timestamp", created_at)
  SELECT id, $1, profile, conversation, CASE WHEN incoming THEN 'incoming' ELSE 'outgoing' END, '4915112345678@c.us', '4915112345678@c.us',
         (ARRAY['text', 'text', 'text', 'text', 'text', 'text', 'image', 'audio', 'document', 'sticker'])[1 + n % 10], '{"type":"text","text":"x"}',
         CASE WHEN incoming THEN 'received' ELSE (ARRAY['read', 'read', 'read', 'delivered', 'delivered', 'sent', 'failed', 'played'])[1 + (n / 7) % 8] END,
         at, at FROM placed`;
