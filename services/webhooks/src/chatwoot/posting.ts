import { keyOfMediaUrl } from '@messaging-gateway/contracts';
import type { MediaStore } from '@messaging-gateway/media';
import { ChatwootFailed, type Attachment, type Posted } from './client.ts';
import type { Ended, Known, Lane, Waiting } from './outbox.ts';
import { renumberContact, uniteContacts, type RemoteParts } from './contacts.ts';
import { inConversation } from './remote.ts';
import type { Inbox } from './settings.ts';
import { contentOf, mediaOf, wordsOf, type Told } from './told.ts';

export interface PostingParts extends RemoteParts {
  readonly media: MediaStore;
  readonly now: () => number;
}

/** What an item has become, to be noted. */
type Made = Ended['made'];

/** A file that Chatwoot refuses so often goes without. */
const fileTries = 4;
/** Text of a message that has nothing to say in Chatwoot. */
const unnamed = '…';

/** Posts one thing of a chat: once, also when it was begun before and nobody knows what came of it. @throws ChatwootFailed */
export async function post(parts: PostingParts, inbox: Inbox, lane: Lane, waiting: Waiting): Promise<Made> {
  const { told } = waiting;
  switch (told.kind) {
    case 'received':
    case 'recovered':
    case 'sent':
      return postMessage(parts, inbox, lane, waiting, told);
    case 'joined':
      await uniteContacts(parts, inbox, lane);
      return undefined;
    case 'number':
      await renumberContact(parts, inbox, lane, told.data);
      return undefined;
    case 'status':
      await postStatus(parts, inbox, waiting, told);
      return undefined;
    case 'note':
      return create(parts, inbox, lane, waiting, {
        content: told.data.text,
        message_type: 'outgoing',
        private: true,
        source_id: noteIdOf(waiting),
        ...(told.data.answersRemote !== undefined && { in_reply_to: told.data.answersRemote }),
      });
    case 'reaction':
    case 'edited':
    case 'deleted': {
      const target = await find(parts, lane, told.data.messageId);
      const isDeleted = told.kind === 'deleted';
      return create(parts, inbox, lane, waiting, {
        content: changeWords(told),
        message_type: told.data.fromMe ? 'outgoing' : 'incoming',
        // What is gone is no message: agents are told.
        ...((isDeleted || (told.kind === 'reaction' && told.data.emoji === '')) && {
          private: true,
          message_type: 'outgoing' as const,
        }),
        source_id: noteIdOf(waiting),
        ...(target && { in_reply_to: target.remoteId }),
      });
    }
  }
}

const noteIdOf = ({ id }: Waiting): string => `gateway-${id}`;

function changeWords(told: Extract<Told, { kind: 'reaction' | 'edited' | 'deleted' }>): string {
  switch (told.kind) {
    case 'reaction':
      return told.data.emoji === '' ? 'The reaction was taken back.' : told.data.emoji;
    case 'edited':
      return `✏️ ${told.data.body ?? ''}`;
    case 'deleted':
      return 'This message was deleted for everyone.';
  }
}

async function postMessage(
  parts: PostingParts,
  inbox: Inbox,
  lane: Lane,
  waiting: Waiting,
  told: Extract<Told, { kind: 'received' | 'recovered' | 'sent' }>,
): Promise<Made> {
  const { messageId, known } = waiting;
  const isAgain = told.kind === 'recovered' && known !== undefined;
  if (messageId === null || (known !== undefined && !isAgain)) return undefined;
  const content = contentOf(told);
  const isGroup = lane.chat.endsWith('@g.us');
  const author = told.kind !== 'sent' && isGroup ? (told.data.pushName ?? told.data.author) : undefined;
  const media = mediaOf(content);
  const words = `${author === undefined ? '' : `**${author}:** `}${wordsOf(content)}`;
  const quoted =
    told.data.quotedMessageId === undefined ? undefined : await find(parts, lane, told.data.quotedMessageId);
  const file = media === undefined ? undefined : await fileOf(parts, lane, media, waiting);
  const rest = media !== undefined && file === undefined ? linkOf(media.url) : '';
  return create(
    parts,
    inbox,
    lane,
    waiting,
    {
      content: [words, rest].filter((line) => line !== '').join('\n') || (file === undefined ? unnamed : ''),
      message_type: told.kind === 'sent' ? 'outgoing' : 'incoming',
      source_id: isAgain ? noteIdOf(waiting) : messageId,
      ...((isAgain || quoted) && { in_reply_to: isAgain ? known.remoteId : quoted?.remoteId }),
    },
    file,
  );
}

/** Of media whose bytes are not here. */
const linkOf = (url: string): string => (keyOfMediaUrl(url) === undefined ? url : '📎');

async function fileOf(
  { media: store }: PostingParts,
  { organization_id }: Lane,
  { url, mimetype, filename }: { url: string; mimetype?: string | undefined; filename?: string | undefined },
  { tries }: Waiting,
): Promise<Attachment | undefined> {
  const key = keyOfMediaUrl(url);
  if (key === undefined || tries >= fileTries || !key.startsWith(`${organization_id}/`)) return undefined;
  const object = await store.get(key);
  if (object === undefined) return undefined;
  const type = mimetype ?? object.mimetype;
  const name = filename ?? object.filename ?? `file.${/\/([\w]+)/.exec(type)?.[1] ?? 'bin'}`;
  return { filename: name, mimetype: type, size: object.size, stream: object.stream };
}

async function create(
  parts: PostingParts,
  inbox: Inbox,
  lane: Lane,
  waiting: Waiting,
  posted: Posted,
  file?: Attachment,
): Promise<Made> {
  const { client, now } = parts;
  try {
    const made = await inConversation(parts, inbox, lane, async (conversation) => {
      // It was begun before: it may be there.
      const found = waiting.tries === 0 ? undefined : await client.findMessage(inbox, conversation, posted.source_id);
      return { conversation, remoteId: found ?? (await client.makeMessage(inbox, conversation, posted, file)) };
    });
    return posted.source_id === waiting.messageId ? { ...made, now: now() } : undefined;
  } finally {
    file?.stream.destroy();
  }
}

async function postStatus(
  { client }: PostingParts,
  inbox: Inbox,
  { known }: Waiting,
  { data: { status, error } }: Extract<Told, { kind: 'status' }>,
): Promise<void> {
  if (known !== undefined) await client.setStatus(inbox, known.conversation, known.remoteId, status, error);
}

/** Finds Chatwoot's message for a message of ours. */
export async function find(
  { sql }: Pick<PostingParts, 'sql'>,
  { organization_id }: Pick<Lane, 'organization_id'>,
  messageId: string,
): Promise<Known | undefined> {
  const [row] = await sql.query<{ remote_message_id: string; remote_id: string; by_agent: boolean }>(
    'SELECT remote_message_id, remote_id, by_agent FROM chatwoot_messages WHERE organization_id = $1 AND message_id = $2',
    [organization_id, messageId],
  );
  if (row === undefined) return undefined;
  return { remoteId: Number(row.remote_message_id), conversation: Number(row.remote_id), byAgent: row.by_agent };
}

/** Chatwoot does not want this one, whatever else it takes. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ChatwootFailed && error.status !== undefined && [400, 413, 415, 422].includes(error.status);
