import type { HandleOptions } from '@messaging-gateway/event-sourcing';
import type { ServiceTools } from '@messaging-gateway/service';
import { conversationStream, type ReadBy } from './conversation.ts';

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'store'>;
type Options = Pick<HandleOptions, 'metadata' | 'onAppended'>;

/** Messages that are looked at, at most: a reader who left more unread cannot have seen them all. */
const maxMessages = 1000;
/** Attempts: others may read the conversation at the same moment. */
const maxAttempts = 5;

export interface UnreadMessage {
  /** Position of the message among others, a UUIDv7. */
  readonly id: string;
  readonly network_message_id: string;
  readonly author: string | null;
}

interface Reading {
  /** Id of a conversation, or of one that became an alias of it. */
  readonly conversationId: string;
  /** Position of the newest message that was read. Absent: everything was read. */
  readonly upTo?: string;
  /** Absent: somebody marked the conversation as read. */
  readonly by?: ReadBy;
}

interface Row {
  readonly id: string;
  readonly profile_id: string;
  readonly unread_count: number;
  readonly last_message_id: string | null;
}

/**
 * Counts down the unread messages of a conversation.
 *
 * @returns at most 1000 messages that were read, newest first, with those that were read by an answer before
 */
export async function readConversation(
  tools: Tools,
  reading: Reading,
  options: Options,
): Promise<readonly UnreadMessage[]> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const read = await tryRead(tools, reading, options);
    if (read !== undefined) return read;
  }
  return [];
}

/** @returns undefined when somebody else counted down what was counted here */
async function tryRead(
  tools: Tools,
  { conversationId, upTo: newest, by }: Reading,
  options: Options,
): Promise<readonly UnreadMessage[] | undefined> {
  const found = await find(tools, conversationId, options);
  if (found === undefined) return [];
  const { row, reads, unconfirmed } = found;
  const { id, profile_id: profileId, unread_count: unread } = row;
  const owed = by === undefined ? unconfirmed : 0;
  if (unread + owed === 0) return [];
  const counted = await newestIncoming(tools, id, options, unread + owed);
  const read = newest === undefined ? counted : counted.filter((message) => message.id <= newest);
  const remaining = Math.min(unread, counted.length - read.length);
  const count = unread - remaining;
  if (count === 0 && (owed === 0 || read.length === 0)) return [];
  const upTo = read[0]?.id ?? row.last_message_id ?? '';
  const command = { type: 'Read', conversationId: id, profileId, count, upTo, reads, remaining } as const;
  const { outcome } = await tools.store.handle(conversationStream, id, { ...command, ...(by && { by }) }, options);
  return outcome === 'appended' ? read : undefined;
}

/** Marks a conversation as unread. Changes nothing if messages are unread. */
export async function markUnread(tools: Tools, conversationId: string, options: Options): Promise<void> {
  const found = await find(tools, conversationId, options);
  if (found === undefined) return;
  const { id, profile_id: profileId, unread_count: count, last_message_id: last } = found.row;
  const command = { type: 'MarkUnread', conversationId: id, profileId, count, reads: found.reads } as const;
  await tools.store.handle(conversationStream, id, { ...command, upTo: last ?? '' }, options);
}

/** The state is loaded before the count: a reading in between makes the count void. */
async function find({ sql, store }: Tools, conversationId: string, { metadata }: Options) {
  const [alias] = await sql.query<{ conversation_id: string }>(
    'SELECT conversation_id FROM conversation_aliases WHERE id = $1',
    [conversationId],
  );
  const id = alias?.conversation_id ?? conversationId;
  const { reads, unconfirmed = 0 } = (await store.load(conversationStream, id)).state;
  const [row] = await sql.query<Row>(
    'SELECT id, profile_id, unread_count, last_message_id FROM conversations WHERE id = $1 AND organization_id = $2',
    [id, metadata.organizationId],
  );
  return row === undefined ? undefined : { row, reads, unconfirmed };
}

const newestIncoming = ({ sql }: Tools, id: string, { metadata }: Options, count: number): Promise<UnreadMessage[]> =>
  sql.query<UnreadMessage>(
    `SELECT m.id, m.network_message_id, m.author FROM messages m
      WHERE m.organization_id = $2 AND m.direction = 'incoming' AND NOT m.removed AND (m.conversation_id = $1
         OR m.conversation_id IN (SELECT id FROM conversation_aliases WHERE conversation_id = $1))
      ORDER BY m.id DESC LIMIT $3`,
    [id, metadata.organizationId, Math.min(count, maxMessages)],
  );
