import { proto } from '@whiskeysockets/baileys';
import type { MessageChangeOf, MessageTargetOf } from '@messaging-gateway/contracts';
import type { SessionData } from '../../../session-data/session-data-store.ts';
import type { GroupCache } from '../groups/group-cache.ts';
import { addressesOf, isSelf, ownAddresses, person, type Parties, type Self } from '../wire-format/addresses.ts';
import { contentOf } from './incoming-content.ts';
import { openMessage } from '../wire-format/message-kinds.ts';
import { keptId } from '../wire-format/message-names.ts';
import { votedOptions } from '../wire-format/polls.ts';
import type { SignalState } from '../signal/signal-state.ts';

export interface ChangeParts {
  readonly parties: Parties;
  readonly self: Self;
  readonly state: SignalState;
  readonly data: SessionData;
  readonly groups: Pick<GroupCache, 'isAdmin'>;
}

export interface Changed {
  readonly target: MessageTargetOf;
  readonly byAdmin?: true;
  readonly change: MessageChangeOf;
}

const { Type } = proto.Message.ProtocolMessage;

/** The change that a message makes in another one; undefined when it changes none, or nothing that can be read. */
export async function changeOf(message: proto.IMessage, parts: ChangeParts): Promise<Changed | undefined> {
  const { message: opened } = openMessage(message);
  const { reactionMessage: reaction, pollUpdateMessage: vote, protocolMessage: protocol } = opened;
  if (reaction) return changed(reaction.key, { type: 'reacted', emoji: reaction.text ?? '' }, parts);
  if (vote) {
    const { author, fromMe } = parts.parties;
    const voter = fromMe ? ownAddresses(parts.self) : addressesOf(author);
    const options = await votedOptions(vote, voter, parts.data);
    return options && changed(vote.pollCreationMessageKey, { type: 'voted', options }, parts);
  }
  if (protocol?.type === Type.REVOKE) {
    const revoked = await changed(protocol.key, { type: 'revoked' }, parts);
    return revoked && (await isByAdmin(revoked, parts)) ? { ...revoked, byAdmin: true } : revoked;
  }
  const edited = protocol?.type === Type.MESSAGE_EDIT ? protocol.editedMessage : undefined;
  const content = edited ? (await contentOf(edited, parts))?.content : undefined;
  return content && changed(protocol?.key, { type: 'edited', content }, parts);
}

const { AssociationType } = proto.MessageAssociation;
/** Media that phones send in a second, better form, as a message of its own. */
const replacing: ReadonlySet<number> = new Set([
  AssociationType.HD_IMAGE_DUAL_UPLOAD,
  AssociationType.HD_VIDEO_DUAL_UPLOAD,
]);

/** The message whose media another message replaces; undefined for a message that stands for itself. */
export async function replacedBy(
  message: proto.IMessage,
  parts: Pick<ChangeParts, 'parties' | 'self' | 'state'>,
): Promise<MessageTargetOf | undefined> {
  const { associationType, parentMessageKey } = openMessage(message).context.messageAssociation ?? {};
  if (!parentMessageKey?.id || !replacing.has(associationType ?? 0)) return undefined;
  return targetOf(parentMessageKey, keptId(parentMessageKey.id), parts);
}

/** Whether the author of a change of somebody else's message in a group is an admin. */
async function isByAdmin(
  { target }: Changed,
  { parties: { chat, author, fromMe }, groups }: ChangeParts,
): Promise<boolean> {
  const isOwn = target.fromMe ? fromMe : target.author === author.jid;
  return chat.jid.endsWith('@g.us') && !isOwn && groups.isAdmin(chat.jid, author);
}

async function changed(
  key: proto.IMessageKey | null | undefined,
  change: MessageChangeOf,
  parts: ChangeParts,
): Promise<Changed | undefined> {
  return key?.id ? { target: await targetOf(key, keptId(key.id), parts), change } : undefined;
}

/** Keys are written from the point of view of whoever sends them. */
async function targetOf(
  { fromMe, participant, remoteJid }: proto.IMessageKey,
  networkMessageId: string,
  { parties: { author, chat, fromMe: isOwn }, self, state }: Pick<ChangeParts, 'parties' | 'self' | 'state'>,
): Promise<MessageTargetOf> {
  if (fromMe === true) return { networkMessageId, fromMe: isOwn, ...(!isOwn && { author: author.jid }) };
  if (chat.jid.endsWith('@g.us')) {
    if (isSelf(participant ?? undefined, self)) return { networkMessageId, fromMe: true };
    const writer = await person(participant ?? '', undefined, state);
    return { networkMessageId, fromMe: false, ...(writer !== undefined && { author: writer.jid }) };
  }
  // In a chat of two the other one wrote what the changer did not, and only with oneself both are the same.
  const isOurs = !isOwn || isSelf(remoteJid ?? undefined, self);
  return { networkMessageId, fromMe: isOurs, ...(!isOurs && { author: chat.jid }) };
}
