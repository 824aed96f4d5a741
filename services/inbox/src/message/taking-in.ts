import {
  sentRecordContent,
  type DataOf,
  type EventEnvelope,
  type MessageAccepted,
  type MessageFailed,
  type MessageSent,
  type MessageStatusChanged,
} from '@messaging-gateway/contracts';
import { changeStored } from './changing.ts';
import { causedBy } from '../fact.ts';
import type { MessageTools } from './tools.ts';
import { readByAnswer } from './answered.ts';
import { messageStream, type Outgoing, type Progress } from './message.ts';

/** Facts of outbound may wait so long for others, milliseconds: who reads waits for it, nobody else does. */
const patienceMs = 40;

/** Stores what outbound accepted. */
export async function storeAccepted(
  tools: MessageTools,
  data: DataOf<typeof MessageAccepted>,
  event: EventEnvelope,
): Promise<void> {
  const { messageId, profileId, conversationId, networkMessageId, to, type, content, quotedMessageId, origin, isCode } =
    data;
  const from = await tools.ownNumbers.jidOf(profileId, event.organizationId);
  const metadata = causedBy(event, profileId);
  const message: Outgoing = {
    messageId,
    profileId,
    conversationId,
    networkMessageId,
    chat: to,
    to,
    type,
    origin,
    content: sentRecordContent(content),
    status: 'queued',
    silent: false,
    timestamp: data.acceptedAt,
    ...(from !== undefined && { from }),
    ...(isCode !== undefined && { isCode }),
    ...(quotedMessageId !== undefined && { quotedMessageId }),
  };
  await tools.store.handle(messageStream, messageId, { type: 'StoreOutgoing', message }, { metadata, patienceMs });
  await readByAnswer(tools, message, metadata);
  await changeStored(tools, data, event);
}

export const noteSent = (
  tools: MessageTools,
  { messageId }: DataOf<typeof MessageSent>,
  event: EventEnvelope,
): Promise<void> => note(tools, { messageId, status: 'sent' }, event);

export const noteFailed = (
  tools: MessageTools,
  { messageId, error }: DataOf<typeof MessageFailed>,
  event: EventEnvelope,
): Promise<void> => note(tools, { messageId, status: 'failed', error }, event);

/** `failed` is left to `message.failed`, which says why. */
export async function noteStatus(
  tools: MessageTools,
  { messageId, status }: DataOf<typeof MessageStatusChanged>,
  event: EventEnvelope,
): Promise<void> {
  if (status !== 'failed') await note(tools, { messageId, status }, event);
}

async function note(tools: MessageTools, progress: Progress, event: EventEnvelope): Promise<void> {
  await tools.store.handle(
    messageStream,
    progress.messageId,
    { type: 'NoteStatus', progress },
    { metadata: causedBy(event), patienceMs },
  );
}
