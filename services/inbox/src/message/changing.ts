import {
  arrivedRecordContent,
  bounded,
  type DataOf,
  type EventEnvelope,
  type MessageTargetOf,
  type SessionMessage,
} from '@messaging-gateway/contracts';
import { shownJid } from '../chat/address-book.ts';
import { causedBy } from '../fact.ts';
import { readStored } from './chat-marks.ts';
import { messageStream } from './message.ts';
import type { MessageTools } from './tools.ts';
import { findTarget, type Doing } from './target.ts';
import { changeIdOf, waitingChangeStream, type ReadMark, type Told, type WaitingToldChange } from './waiting-change.ts';

/**
 * Changes a stored message. A change that comes before its message is kept until that is stored: **first it is written,
 * then the message is looked for again**, as the message is written before changes are looked for, so that one of both
 * finds the other.
 */
export async function noteChange(tools: MessageTools, told: Told, event: EventEnvelope): Promise<void> {
  const changeId = changeIdOf(event.id);
  const doing = await doingOf(tools, told, event);
  if (await carryOut(tools, told, changeId, doing)) return;
  const { profileId, target } = told;
  const which = { changeId, profileId, networkMessageId: target.networkMessageId };
  const { metadata } = doing;
  await tools.waitingChanges.expect(which);
  const keep = { type: 'Keep', told, sequence: event.sequence, ...which } as const;
  await tools.store.handle(waitingChangeStream, changeId, keep, { metadata });
  if (await carryOut(tools, told, changeId, doing))
    await tools.store.handle(waitingChangeStream, changeId, { type: 'Settle', ...which }, { metadata });
}

/**
 * Replaces the media of a stored message with a better form of them. Without the bytes of that form, the message keeps
 * what it has.
 */
export async function replaceMedia(
  tools: MessageTools,
  { profileId, chat, author, fromMe, content, delivery, sentAt: at }: DataOf<typeof SessionMessage>,
  target: MessageTargetOf,
  event: EventEnvelope,
): Promise<void> {
  const { type: of } = content;
  const { media } = { media: undefined, ...arrivedRecordContent(content) };
  if (media?.url === undefined) return;
  const change = { type: 'media', of, media } as const;
  await noteChange(tools, { profileId, chat, author, fromMe, target, at, delivery, change }, event);
}

/** Makes the changes that came before a message which is stored now. */
export async function changeStored(
  tools: MessageTools,
  { profileId, networkMessageId }: { readonly profileId: string; readonly networkMessageId: string },
  event: EventEnvelope,
): Promise<void> {
  const { organizationId } = event;
  const waiting = await tools.waitingChanges.of({ organizationId, profileId, networkMessageId });
  for (const { id: changeId, change } of waiting) {
    const metadata = causedBy(event, profileId);
    const isSettled = await (isRead(change)
      ? readStored(tools, change, [networkMessageId], metadata).then((missing) => missing.length === 0)
      : doingOf(tools, change, event).then((doing) => carryOut(tools, change, changeId, doing)));
    if (!isSettled) continue;
    const settle = { type: 'Settle', changeId, profileId, networkMessageId } as const;
    await tools.store.handle(waitingChangeStream, changeId, settle, { metadata });
  }
}

const isRead = (waiting: WaitingToldChange): waiting is ReadMark => waiting.change.type === 'read';

async function doingOf(tools: MessageTools, told: Told, event: EventEnvelope): Promise<Doing> {
  const metadata = causedBy(event, told.profileId);
  const conversationId = await tools.addressBook.conversationOf(told.profileId, told.chat, metadata);
  const person =
    told.fromMe || told.author === undefined
      ? 'self'
      : await tools.addressBook.conversationOf(told.profileId, told.author, metadata);
  return { conversationId, person, metadata };
}

/**
 * @param changeId of the change: a change is made once, however often its event is delivered
 * @returns whether the change is settled: made, or not permitted
 */
async function carryOut(tools: MessageTools, told: Told, changeId: string, doing: Doing): Promise<boolean> {
  const found = await findTarget(tools, told, doing);
  if (found === undefined) return false;
  if (found === 'forbidden') {
    tools.log.info('A change of a message by somebody who may not', {
      profileId: told.profileId,
      change: told.change.type,
    });
    return true;
  }
  const { conversationId, person, metadata } = doing;
  const { profileId, author, fromMe, at, delivery } = told;
  const jid = author && !fromMe ? shownJid(author) : await tools.ownNumbers.jidOf(profileId, metadata.organizationId);
  const change = {
    messageId: found.messageId,
    profileId,
    conversationId,
    networkMessageId: told.target.networkMessageId,
    chat: shownJid(told.chat),
    person,
    ...(jid !== undefined && { author: jid }),
    fromMe,
    at: new Date(at).toISOString(),
    delivery,
    change: bounded(told.change),
  };
  const isRevoked = told.change.type === 'revoked';
  const replacement = told.change.type === 'media' ? told.change.media : undefined;
  // The same media replace others once, also when their message is published twice.
  const once = replacement === undefined ? `change ${changeId}` : `media ${found.messageId} ${replacement.url}`;
  // Media that are replaced stay for up to an hour: receivers of the message may still fetch them.
  if (isRevoked || replacement !== undefined) await tools.doomedMedia.note(found.messageId);
  await tools.store.handle(messageStream, found.messageId, { type: 'Change', change }, { metadata, once });
  // Deleted unless the message has them now.
  if (replacement !== undefined) await tools.doomedMedia.note(found.messageId, replacement.url);
  if (isRevoked) tools.doomedMedia.wake();
  return true;
}
