import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conversationIdOf } from '@messaging-gateway/contracts';
import { startPostgres } from '@messaging-gateway/postgres';
import { encryptionKeys, silentLogger, type EncryptionKeys } from '@messaging-gateway/runtime';
import { rotate, sqlOn, type PartitionTools } from '@messaging-gateway/service';
import pg from 'pg';
import { messagesByMonth } from '../../../services/inbox/src/message/partitions.ts';
import { networkIdsByMonth } from '../../../services/outbound/src/receipts/feature.ts';
import { loggedByDay } from '../../../services/webhooks/src/log/retention.ts';
import { assertConsistent } from './check.ts';
import { rowPatterns } from './copies.ts';
import type { Exchange } from './exchange.ts';
import { daysStored, type Plan } from './plan.ts';
import { rowsNaming, type RealRow } from './rows.ts';
import { seed, type SeedPatterns } from './seed.ts';

export interface Filling {
  /** `DATA_DIR` of a gateway that does not run. */
  readonly directory: string;
  readonly exchange: Exchange;
  readonly plan: Plan;
}

/** Counts of what was stored. */
export interface Filled {
  readonly ids: readonly string[];
  readonly bytes: number;
}

const dayMs = 86_400_000;
/** Up to so many messages are checked: those of more are made in the same way. */
const checkedMessages = 20_000;
/** Days of the events' log: the default of `EVENT_RETENTION_DAYS`. */
const loggedDays = 7;
/** As nobody waits for these commits, and a crash means to begin again. */
const fast = {
  fsync: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
};

/** Fills the database of an installation with copies of a real exchange, in every table that it left rows in. */
export async function fill({ directory, exchange, plan }: Filling): Promise<Filled> {
  const secrets = JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')) as Record<string, string>;
  const password = secrets['postgresPassword'] ?? '';
  const server = await startPostgres({ directory: join(directory, 'postgres'), password, settings: fast });
  const opened: pg.Client[] = [];
  const pool = new pg.Pool({ connectionString: server.url, max: 2, options: '-c TimeZone=UTC' });
  pool.on('error', () => undefined); // its connections end with the server
  try {
    const open = async (schema: string): Promise<[string, pg.Client]> => {
      const client = new pg.Client({
        connectionString: server.url,
        options: `-c TimeZone=UTC -c search_path=${schema}`,
      });
      await client.connect();
      opened.push(client);
      return [schema, client];
    };
    const clients = new Map(await Promise.all(['sessions', 'outbound', 'inbox', 'webhooks', 'insights'].map(open)));
    await makePartitions(server.url, plan.begin);
    const patterns = await patternsOf(pool, encryptionKeys(secrets['encryptionKey'] ?? ''), exchange, plan);
    const logFrom = plan.begin + (daysStored - loggedDays + 1) * dayMs;
    const { rows } = await pool.query<{ last: string }>('SELECT last FROM webhooks.log_heads');
    const firstLogSequence = Number(rows[0]?.last ?? 0);
    const { ids, logSequence } = await seed(plan, { patterns, clients, logFrom, firstLogSequence });
    await pool.query('UPDATE webhooks.log_heads SET last = $1', [logSequence]);
    await moveReaders(pool);
    if (plan.messages <= checkedMessages) await assertConsistent(pool, server.url, secrets['encryptionKey'] ?? '');
    await pool.query('VACUUM ANALYZE');
    const size = await pool.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
    return { ids, bytes: Number(size.rows[0]?.bytes) };
  } finally {
    await Promise.all(opened.map((client) => client.end()));
    await pool.end();
    await server.stop();
  }
}

/** The partitions that the services would have made at the time of the first messages. */
async function makePartitions(url: string, begin: number): Promise<void> {
  const { signal } = new AbortController();
  const within = async (schema: string, work: (tools: PartitionTools) => Promise<unknown>): Promise<void> => {
    const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c TimeZone=UTC -c search_path=${schema}` });
    const patiently = async (statement: string): Promise<void> => void (await pool.query(statement));
    await work({ sql: sqlOn(pool), patiently, log: silentLogger, signal });
    await pool.end();
  };
  await within('inbox', (tools) => rotate(tools, messagesByMonth, begin));
  await within('outbound', (tools) => rotate(tools, networkIdsByMonth, begin));
  await within('webhooks', async (tools) => {
    for (let day = daysStored - loggedDays; day <= daysStored; day += 1)
      for (const table of loggedByDay) await rotate(tools, table, begin + day * dayMs);
  });
}

async function patternsOf(
  pool: pg.Pool,
  encryption: EncryptionKeys,
  { profileId, phone, contact, sent, received }: Exchange,
  { organizationId }: Plan,
): Promise<SeedPatterns> {
  const client = new pg.Client({ ...pool.options });
  await client.connect();
  const { rows } = await client.query<{ id: string; lid: string; push_name: string; shared: string[] }>(
    `SELECT c.id, split_part(c.lid, '@', 1) AS lid, c.push_name, ARRAY(SELECT id::text FROM identity.users) AS shared
       FROM inbox.contacts c WHERE c.phone = $1`,
    [contact],
  );
  const person = rows[0];
  if (person === undefined) throw new Error('The real exchange has made no contact.');
  const conversation = conversationIdOf(profileId, `${contact}@c.us`);
  const alias = conversationIdOf(profileId, `${person.lid}@lid`);
  const names = new Map([
    [profileId, 'profile'],
    [phone, 'ownPhone'],
    [contact, 'phone'],
    [person.lid, 'lid'],
    [person.push_name, 'pushName'],
    [person.id, 'contact'],
    [conversation, 'conversation'],
    [alias, 'alias'],
  ]);
  const shared = new Set([organizationId, ...person.shared]);
  const isConversation = ({ table }: RealRow): boolean => table === 'inbox.conversations';
  const make = (found: readonly RealRow[], { id, networkMessageId, text }: Exchange['sent'], moment: number) => {
    const all = new Map([...names, [id, 'id'], [networkMessageId, 'networkId'], [text, 'text']]);
    return rowPatterns(found, { names: all, shared, moment }, { pool, encryption });
  };
  const ofSent = await rowsNaming(client, [sent.id, sent.networkMessageId]);
  const ofReceived = await rowsNaming(client, [received.id, received.networkMessageId]);
  const ofPerson = await rowsNaming(client, [person.id, alias]);
  await client.end();
  return {
    sent: await make(ofSent, sent, timeOf(sent.id)),
    received: await make(
      ofReceived.filter((row) => !isConversation(row)),
      received,
      timeOf(received.id),
    ),
    acquaintance: await make(ofPerson, received, timeOf(received.id)),
    // Begun with the message that was sent, and showing the one that was received.
    conversation: await make(ofReceived.filter(isConversation), received, timeOf(sent.id)),
  };
}

/** When a UUIDv7 was made, milliseconds since 1970. */
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** All readers of the journals have read what was written. */
async function moveReaders(pool: pg.Pool): Promise<void> {
  const schemasWith = async (table: string): Promise<string[]> => {
    const { rows } = await pool.query<{ schema: string }>(
      'SELECT schemaname AS schema FROM pg_tables WHERE tablename = $1 ORDER BY 1',
      [table],
    );
    return rows.map(({ schema }) => schema);
  };
  const journals = await schemasWith('events');
  for (const reader of await schemasWith('checkpoints')) {
    for (const journal of journals) {
      await pool.query(
        `UPDATE ${reader}.checkpoints SET (generation, transaction_id, position) = (
           SELECT generation, transaction_id, position FROM ${journal}.events
            ORDER BY generation DESC, transaction_id DESC, position DESC LIMIT 1)
          WHERE name LIKE $1 AND EXISTS (SELECT FROM ${journal}.events)`,
        [`events/${journal}/%`],
      );
    }
  }
}
