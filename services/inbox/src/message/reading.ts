import {
  conversationIdOf,
  DescribeProfile,
  quotedFieldsOf,
  type AnswerOf,
  type Caller,
  type FindMessage,
  type MessageRecord,
  type Page,
  type GetMessage,
  type ListProfileMessages,
  type QueryOf,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { assertProfileAllowed, decodeCursor, pageOf, type InputOf, type Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { MessageTools } from './tools.ts';
import { isMessage, recordColumns, shownMessage, type MessageRow } from './records.ts';
import { searchMessages } from './searching.ts';

type Shown = Static<typeof MessageRecord>;

export async function getMessage(tools: MessageTools, { params, caller }: InputOf<typeof GetMessage>): Promise<Shown> {
  const row = await findMessage(tools, params.id, caller.organizationId);
  assertProfileAllowed(caller, row.profile_id);
  return shownMessage(row);
}

/** A page of a profile's messages, newest first. */
export async function listProfileMessages(
  tools: MessageTools,
  { params, query, caller }: InputOf<typeof ListProfileMessages>,
): Promise<Page<Shown>> {
  const { profileId } = params;
  assertProfileAllowed(caller, profileId);
  const { limit, before, search } = pageAsked(query);
  const rows =
    search === undefined
      ? await pageOfProfile(tools.sql, profileId, caller, before, limit + 1)
      : await searchMessages(
          tools.sql,
          { in: 'profile', ids: [profileId], text: search, organizationId: caller.organizationId, before },
          limit + 1,
        );
  if (rows.length === 0) await assertProfileExists(tools, profileId, caller);
  return pageOf(rows, limit, (row) => [row.place], shownMessage);
}

/** Rows of the largest page, and one that tells whether there are more. */
const mostRows = 201;

/**
 * Read by the index of profile and id, whatever is known of how messages are spread: the order names both columns, and no
 * condition makes the profile a constant (else a quiet profile would be looked for among the messages of all others).
 * PostgreSQL knows the largest page when it makes the plan, and so keeps one for all pages. It does not know the values: for
 * the profile with the smallest id it would expect a single row, and sort all that there are.
 */
const pageOfProfile = async (
  sql: Sql,
  profileId: string,
  { organizationId }: Caller,
  before: string,
  rows: number,
): Promise<MessageRow[]> =>
  sql.query<MessageRow>(
    `SELECT ${recordColumns}
       FROM (SELECT * FROM messages one
              WHERE (one.profile_id, one.id) >= ((SELECT $1::uuid), '00000000-0000-0000-0000-000000000000')
                AND (one.profile_id, one.id) < ((SELECT $1::uuid), (SELECT $3::uuid)) AND one.id < (SELECT $3::uuid)
                AND one.organization_id = $2 AND NOT one.removed
              ORDER BY one.profile_id DESC, one.id DESC LIMIT ${mostRows}) m
      ORDER BY m.profile_id DESC, m.id DESC LIMIT $4`,
    [profileId, organizationId, before, rows],
  );

/** The message that a send quotes. @throws Refused NOT_FOUND when the network never named it */
export async function quotableMessage(
  tools: MessageTools,
  { organizationId, messageId, quotedIn }: Static<(typeof FindMessage)['body']>,
): Promise<AnswerOf<typeof FindMessage>> {
  const row = await findMessage(tools, messageId, organizationId);
  const fromMe = row.direction === 'outgoing';
  const chat = fromMe ? row.to : row.from;
  if (row.network_message_id === null || chat === null)
    throw new Refused('NOT_FOUND', 'The network does not know this message.');
  const content = row.content as { text?: string; caption?: string };
  const text = content.text ?? content.caption;
  return {
    ...quotedFieldsOf(row.type, row.content),
    messageId: row.id,
    profileId: row.profile_id,
    networkMessageId: row.network_message_id,
    chat,
    fromMe,
    sentAt: row.timestamp.toISOString(),
    ...(row.author !== null && { author: row.author }),
    ...(text !== undefined && { text }),
    ...(quotedIn !== undefined && { quotable: await relationOf(tools, row, quotedIn) }),
  };
}

/** Whether a message belongs to a chat, or was written in a group by the other person of the chat. */
async function relationOf(
  { sql }: MessageTools,
  { profile_id, conversation_id, author, direction, from }: MessageRow,
  chat: string,
): Promise<AnswerOf<typeof FindMessage>['quotable']> {
  const conversationOf = async (jid: string): Promise<string> => {
    const id = conversationIdOf(profile_id, jid);
    const [alias] = await sql.query<{ conversation_id: string }>(
      'SELECT conversation_id FROM conversation_aliases WHERE id = $1',
      [id],
    );
    return alias?.conversation_id ?? id;
  };
  const asked = await conversationOf(chat);
  if (asked === conversation_id) return 'same-chat';
  const isOfMember = direction === 'incoming' && from?.endsWith('@g.us') === true && author !== null;
  return isOfMember && (await conversationOf(author)) === asked ? 'to-author' : 'other-chat';
}

export async function findMessage(
  tools: MessageTools,
  id: string | undefined,
  organizationId: string,
): Promise<MessageRow> {
  const [row] = await tools.sql.query<MessageRow>(
    `SELECT ${recordColumns} FROM messages m WHERE ${isMessage} AND m.organization_id = $2 AND NOT m.removed`,
    [id, organizationId],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such message.');
  return row;
}

const afterEverything = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function pageAsked(query: QueryOf<typeof ListProfileMessages>): {
  limit: number;
  before: string;
  search: string | undefined;
} {
  const [before = afterEverything] = decodeCursor(query.cursor, ['id']) ?? [];
  return { limit: query.limit ?? 50, before: String(before), search: query.search };
}

/** @throws Refused NOT_FOUND when the profile is not one of the caller's organization */
async function assertProfileExists(tools: MessageTools, profileId: string, { organizationId }: Caller): Promise<void> {
  await tools.ask(DescribeProfile, { organizationId, profileId });
}
