import { proto } from '@whiskeysockets/baileys';
import type { MessageChangeOf, MessageTargetOf } from '@messaging-gateway/contracts';
import type { SessionData } from '../../../session-data/session-data-store.ts';
import type { GroupCache } from '../groups/group-cache.ts';
import {
  addressesOf,
  isSelf,
  ownAddresses,
  person,
  toNetwork,
  type Parties,
  type Self,
} from '../wire-format/addresses.ts';
import { contentOf } from './incoming-content.ts';
import { openMessage } from '../wire-format/message-kinds.ts';
import { keptId } from '../wire-format/message-names.ts';
import { openSealed, unseal, type Sealed, type SealKey, type SealLabel } from '../wire-format/message-secrets.ts';
import { votedOptions } from '../wire-format/polls.ts';
import type { SignalState } from '../signal/signal-state.ts';

export interface ChangeParts {
  readonly parties: Parties;
  readonly self: Self;
  readonly state: SignalState;
  readonly data: SessionData;
  readonly groups: Pick<GroupCache, 'isAdmin'>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The message that is changed, if it is at hand: its secret may not be stored yet. */
  readonly changing?: Pick<SealKey, 'secret' | 'authors'>;
}

export interface Changed {
  readonly target: MessageTargetOf;
  readonly byAdmin?: true;
  readonly change: MessageChangeOf;
}

/** A change that cannot be read: its message, or the secret of that one, is unknown here. */
export interface UnreadableChange {
  readonly unreadable: 'edit' | 'reaction' | 'response' | 'vote';
  /** Id of the message that it changes, where the change can be read once that message is known. */
  readonly waitsFor?: string;
}

const { Type } = proto.Message.ProtocolMessage;

/** The change that a message makes in another one; undefined when it changes none. */
export async function changeOf(
  message: proto.IMessage,
  parts: ChangeParts,
): Promise<Changed | UnreadableChange | undefined> {
  const { message: opened } = openMessage(message);
  const { reactionMessage: reaction, pollUpdateMessage: vote, protocolMessage: protocol } = opened;
  if (reaction) return changed(reaction.key, { type: 'reacted', emoji: reaction.text ?? '' }, parts);
  if (vote) {
    const options = await votedOptions(vote, addressesOfAuthor(parts), parts.data);
    if (options === undefined) return { unreadable: 'vote' };
    return changed(vote.pollCreationMessageKey, { type: 'voted', options }, parts);
  }
  const sealed = sealedIn(opened);
  if (sealed !== undefined) return sealedChange(sealed, parts);
  if (protocol?.type === Type.REVOKE) {
    const revoked = await changed(protocol.key, { type: 'revoked' }, parts);
    return revoked && (await isByAdmin(revoked, parts)) ? { ...revoked, byAdmin: true } : revoked;
  }
  const edited = protocol?.type === Type.MESSAGE_EDIT ? protocol.editedMessage : undefined;
  const content = edited ? (await contentOf(edited, parts))?.content : undefined;
  return content && changed(protocol?.key, { type: 'edited', content }, parts);
}

const addressesOfAuthor = ({ parties: { author, fromMe }, self }: ChangeParts): string[] =>
  fromMe ? ownAddresses(self) : addressesOf(author);

/** A change that is encrypted with the secret of the message that it changes. */
interface SealedChange {
  readonly label: SealLabel;
  readonly sealed: Sealed;
  readonly key: proto.IMessageKey | null | undefined;
  readonly name: UnreadableChange['unreadable'];
  /** Reads the decrypted change; undefined if it holds nothing that is published. */
  readonly read: (
    plain: Uint8Array,
    parts: ChangeParts,
  ) => MessageChangeOf | undefined | Promise<MessageChangeOf | undefined>;
}

/** Kinds of encrypted edits by number. The library's enumeration ends before that of polls; the others are not published. */
const editLabels: Readonly<Record<number, SealLabel>> = { 1: 'Event Edit', 2: 'Message Edit', 4: 'Poll Edit' };

const { EventResponseType } = proto.Message.EventResponseMessage;
const answers: Readonly<Record<number, string>> = {
  [EventResponseType.GOING]: '✅',
  [EventResponseType.NOT_GOING]: '❌',
  [EventResponseType.MAYBE]: '❓',
};

/** The encrypted change that a message is; comments are none, since they change nothing. */
function sealedIn(message: proto.IMessage): SealedChange | undefined {
  const { secretEncryptedMessage: edit, encReactionMessage: reaction, encEventResponseMessage: response } = message;
  if (edit) {
    const label = editLabels[edit.secretEncType ?? 0];
    return label && { label, sealed: edit, key: edit.targetMessageKey, name: 'edit', read: readEdit };
  }
  if (reaction) {
    const read = (plain: Uint8Array): MessageChangeOf => ({
      type: 'reacted',
      emoji: proto.Message.ReactionMessage.decode(plain).text ?? '',
    });
    return { label: 'Enc Reaction', sealed: reaction, key: reaction.targetMessageKey, name: 'reaction', read };
  }
  if (response) {
    const read = (plain: Uint8Array): MessageChangeOf | undefined => {
      const emoji = answers[proto.Message.EventResponseMessage.decode(plain).response ?? 0];
      return emoji === undefined ? undefined : { type: 'reacted', emoji };
    };
    const key = response.eventCreationMessageKey;
    return { label: 'Event Response', sealed: response, key, name: 'response', read };
  }
  return undefined;
}

/** The new content stands in a protocol message, as in an edit that is not encrypted, or by itself. */
async function readEdit(plain: Uint8Array, parts: ChangeParts): Promise<MessageChangeOf | undefined> {
  const decoded = proto.Message.decode(plain);
  const content = (await contentOf(openMessage(decoded).message.protocolMessage?.editedMessage ?? decoded, parts))
    ?.content;
  return content && { type: 'edited', content };
}

async function sealedChange(
  { label, sealed, key, name, read }: SealedChange,
  parts: ChangeParts,
): Promise<Changed | UnreadableChange> {
  if (!key?.id) return { unreadable: name };
  const unreadable = { unreadable: name, waitsFor: keptId(key.id) };
  const which = {
    messageId: key.id,
    authors: await addressesOfWriter(key, parts),
    editors: addressesOfAuthor(parts),
  };
  const { changing } = parts;
  const plain =
    changing === undefined
      ? await openSealed(label, sealed, which, parts)
      : unseal(label, sealed, { ...which, secret: changing.secret, authors: [...which.authors, ...changing.authors] });
  try {
    const change = plain && (await read(plain, parts));
    return (change && (await changed(key, change, parts))) ?? unreadable;
  } catch {
    return unreadable;
  }
}

/** Addresses of the author of the message that a key names. */
async function addressesOfWriter(key: proto.IMessageKey, parts: ChangeParts): Promise<string[]> {
  const { fromMe, author } = await targetOf(key, '', parts);
  if (fromMe) return ownAddresses(parts.self);
  const { chat, author: changer } = parts.parties;
  const known = [chat, changer].find(({ jid }) => jid === author);
  const writer = known ?? (await person(toNetwork(author ?? ''), undefined, parts.state));
  return writer === undefined ? [] : addressesOf(writer);
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
