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
  const { messageId, profileId, conversationId, networkMessageId, type, content, quotedMessageId, origin, isCode } =
    data;
  const to = await tools.addressBook.currentAddress(profileId, data.to);
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

/** The network may have returned another form of the number: the message moves to the conversation of that. */
export async function noteSent(
  tools: MessageTools,
  { messageId, to, requestedTo }: DataOf<typeof MessageSent>,
  event: EventEnvelope,
): Promise<void> {
  const { profileId } = event;
  if (requestedTo === undefined || profileId === undefined) return note(tools, { messageId, status: 'sent' }, event);
  await tools.addressBook.correct(profileId, requestedTo, to, causedBy(event, profileId));
  await note(tools, { messageId, status: 'sent', to }, event);
}

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
