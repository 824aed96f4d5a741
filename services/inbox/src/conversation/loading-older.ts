import { setTimeout as sleep } from 'node:timers/promises';
import { FetchOlderMessages, type MessageRecord, type LoadOlderMessages } from '@messaging-gateway/contracts';
import { askHolder, type InputOf, type Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { findConversation } from './finding.ts';
import type { ConversationTools } from './tools.ts';
import { recordColumns, shownMessage, type MessageRow } from '../message/records.ts';

interface Loaded {
  readonly items: Static<typeof MessageRecord>[];
  readonly fetched: number;
  readonly hasMore: boolean;
}

interface Oldest {
  readonly id: string;
  readonly network_message_id: string;
  readonly direction: string;
  readonly timestamp: Date;
}

/** Time between two looks for messages that were handed over, milliseconds: they are stored a moment later. */
const lookMs = 50;
/** When nothing more has come for so many looks, the rest is such as is not stored. */
const quietLooks = 20;

/** Asks the phone for messages before the oldest that is stored. */
export async function loadOlder(
  tools: ConversationTools,
  { params, query, caller, context }: InputOf<typeof LoadOlderMessages>,
): Promise<Loaded> {
  const { id, profile_id: profileId, jid: chat } = await findConversation(tools, params.conversationId, caller);
  const { limit = 50 } = query;
  const ids = [id, ...(await aliasesOf(tools.sql, id))];
  const [oldest] = await tools.sql.query<Oldest>(
    `SELECT m.id, m.network_message_id, m.direction, m."timestamp"
       FROM unnest($1::uuid[]) known(id)
      CROSS JOIN LATERAL (
              SELECT * FROM messages one WHERE one.conversation_id = known.id AND one.network_message_id IS NOT NULL
               ORDER BY one.id LIMIT 1
            ) m
      ORDER BY m.id LIMIT 1`,
    [ids],
  );
  if (oldest === undefined) return { items: [], fetched: 0, hasMore: false };
  const asked = {
    networkMessageId: oldest.network_message_id,
    fromMe: oldest.direction === 'outgoing',
    sentAt: oldest.timestamp.toISOString(),
  };
  const { organizationId } = caller;
  const { deadline } = context;
  const body = { organizationId, profileId, chat, oldest: asked, count: limit };
  const { networkMessageIds, hasMore } = await askHolder(tools, FetchOlderMessages, body, { deadline });
  await stored(tools.sql, profileId, networkMessageIds);
  const rows = await tools.sql.query<MessageRow>(
    `SELECT ${recordColumns} FROM messages m
      WHERE m.conversation_id = ANY ($1) AND m.id < $2 AND NOT m.removed ORDER BY m.id DESC LIMIT $3`,
    [ids, oldest.id, limit],
  );
  const fetched = networkMessageIds.length;
  return { items: rows.map((row) => shownMessage(row)), fetched, hasMore: hasMore ?? fetched >= limit };
}

async function aliasesOf(sql: Sql, id: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>('SELECT id FROM conversation_aliases WHERE conversation_id = $1', [id]);
  return rows.map((row) => row.id);
}

/** Resolves when the messages are stored, or no more of them come. */
async function stored(sql: Sql, profileId: string, networkMessageIds: readonly string[]): Promise<void> {
  let before = -1;
  for (let quiet = 0; quiet < quietLooks;) {
    const [row] = await sql.query<{ count: number }>(
      `SELECT count(DISTINCT network_message_id)::int AS count FROM messages
        WHERE profile_id = $1 AND network_message_id = ANY ($2)`,
      [profileId, networkMessageIds],
    );
    const count = row?.count ?? 0;
    if (count >= networkMessageIds.length) return;
    quiet = count === before ? quiet + 1 : 0;
    before = count;
    await sleep(lookMs);
  }
}
