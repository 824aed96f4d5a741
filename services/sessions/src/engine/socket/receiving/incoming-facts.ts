import { type BinaryNode, type Chat, getBinaryNodeChildren, type proto, type WAMessage } from '@whiskeysockets/baileys';
import type { SessionData } from '../../../session-data/session-data-store.ts';
import type { Fact } from '../../engine.ts';
import { isBroadcastList, isSelf, partiesOf, person, type Self } from '../wire-format/addresses.ts';
import type { GroupCache } from '../groups/group-cache.ts';
import { listedTimer, timerFact, timerIn } from '../wire-format/chat-timers.ts';
import { changeOf, replacedBy, type ChangeParts, type UnreadableChange } from './incoming-changes.ts';
import { type Content, contentOf } from './incoming-content.ts';
import { fieldOf } from '../wire-format/message-kinds.ts';
import { keptId, timestampOf } from '../wire-format/message-names.ts';
import type { SignalState } from '../signal/signal-state.ts';

export interface Receiver {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly self: Self;
  readonly state: SignalState;
  readonly data: SessionData;
  readonly groups: Pick<GroupCache, 'isAdmin'>;
}

type MessageData = Extract<Fact, { kind: 'message' }>['data'];
/** What is known of a message before its content is. */
export type MessageEnvelope = Omit<MessageData, keyof Content>;

/** The outcome of a decrypted stanza: facts, a change that cannot be read, or the kind of something that nobody is to see. */
export type Outcome = { readonly facts: readonly Fact[] } | UnreadableChange | { readonly ignored: string };

/** The outcome of a message whose envelope is known. */
export async function outcomeIn(
  envelope: MessageEnvelope,
  message: proto.IMessage,
  receiver: Receiver,
  changing?: ChangeParts['changing'],
): Promise<Outcome> {
  const { profileId, chat, author, fromMe, sentAt: at, delivery } = envelope;
  const parties = { chat, author, fromMe };
  const timer = timerIn(message, Math.floor(Date.parse(at) / 1000));
  const setting = timer && (await timerFact(timer, parties, { profileId, state: receiver.state }));
  const settings = setting === undefined ? [] : [setting];
  const found = await contentOf(message, receiver);
  if (found !== undefined) {
    const replacesMediaOf = await replacedBy(message, { ...receiver, parties });
    const replaced = { ...envelope, ...(replacesMediaOf !== undefined && { replacesMediaOf }) };
    return { facts: [messageFact(found, replaced), ...settings] };
  }
  const changed = await changeOf(message, { ...receiver, parties, ...(changing && { changing }) });
  if (changed === undefined) return timer === undefined ? { ignored: fieldOf(message) } : { facts: settings };
  if ('unreadable' in changed) return changed;
  return { facts: [{ kind: 'change', data: { profileId, ...parties, ...changed, at, delivery } }] };
}

/** Undefined for what belongs to no chat. */
export async function envelopeOf(
  stanza: BinaryNode,
  { self, state, data: { profileId } }: Receiver,
): Promise<MessageEnvelope | undefined> {
  const parties = await partiesOf(stanza, self, state);
  if (parties === undefined) return undefined;
  return {
    profileId,
    networkMessageId: keptId(stanza.attrs['id'] ?? ''),
    ...parties,
    pushName: stanza.attrs['notify'] ?? null,
    sentAt: timestampOf(stanza.attrs['t']),
    delivery: stanza.attrs['offline'] === undefined ? 'live' : 'replayed',
  };
}

/** Where a stanza comes from that belongs to no chat. */
export function placeOf({ attrs: { from = '', participant } }: BinaryNode, self: Self): string {
  if (from === 'status@broadcast') return 'status';
  if (from.endsWith('@newsletter')) return 'channel';
  if (isBroadcastList(from) && isSelf(participant, self)) return 'own broadcast list';
  return 'unknown address';
}

const messageFact = ({ attachment, ...said }: Content, data: Omit<MessageData, keyof Content>): Fact => ({
  kind: 'message',
  data: { ...data, ...said },
  ...(attachment !== undefined && { attachment }),
});

const receiptStatus: Readonly<Record<string, 'delivered' | 'read' | 'played'>> = {
  // A device that is not looked at confirms with `inactive`; the message has arrived all the same.
  '': 'delivered',
  inactive: 'delivered',
  read: 'read',
  played: 'played',
};

/** The types of receipts by which a device of the owner announces what was read on it; `read-self`: without a receipt to the author. */
const ownReads: ReadonlySet<string> = new Set(['read', 'read-self']);

/**
 * The facts of a receipt stanza: how far messages of the profile have come, or what the owner has read on the phone or on
 * another linked device.
 */
export async function receiptFacts(
  stanza: BinaryNode,
  { self, state, data: { profileId } }: Receiver,
): Promise<Fact[]> {
  const { attrs, content } = stanza;
  const { from = '', participant, recipient, type = '' } = attrs;
  const [list] = Array.isArray(content) ? content : [];
  const ids = [
    attrs['id'],
    ...(list === undefined ? [] : getBinaryNodeChildren(list, 'item').map((item) => item.attrs['id'])),
  ].filter((id) => id !== undefined);
  const at = timestampOf(attrs['t']);
  if (isSelf(participant ?? from, self)) {
    if (!ownReads.has(type)) return [];
    const chat = from.endsWith('@g.us')
      ? { jid: from }
      : await person(recipient ?? '', attrs['recipient_pn'] ?? attrs['peer_recipient_pn'], state);
    if (chat === undefined) return [];
    return [{ kind: 'chat-marked', data: { profileId, chat, mark: 'read', networkMessageIds: ids.map(keptId), at } }];
  }
  const status = receiptStatus[type];
  if (status === undefined) return [];
  return ids.map((networkMessageId) => ({ kind: 'receipt', data: { profileId, networkMessageId, status, at } }));
}

/** A message that the phone handed over when it was linked. Its media are not fetched: there can be thousands. */
export async function historyFacts(
  { key, message, messageTimestamp, pushName }: WAMessage,
  receiver: Receiver,
): Promise<Fact[]> {
  const found = message === undefined || message === null ? undefined : await contentOf(message, receiver);
  const jid = key.remoteJid ?? '';
  const other =
    found === undefined || jid.endsWith('@g.us')
      ? undefined
      : await person(jid, key.remoteJidAlt ?? undefined, receiver.state);
  const author = jid.endsWith('@g.us')
    ? await person(key.participant ?? '', key.participantAlt ?? undefined, receiver.state)
    : other;
  const self = await person(`${receiver.self.phone}@s.whatsapp.net`, undefined, receiver.state);
  const writer = key.fromMe === true ? self : author;
  const chat = jid.endsWith('@g.us') ? { jid } : other;
  if (found === undefined || !message || chat === undefined || writer === undefined || !key.id) return [];
  const { attachment: _notFetched, ...said } = found;
  const parties = { chat, author: writer, fromMe: key.fromMe === true };
  // The first form is there, and history fetches no media.
  if ((await replacedBy(message, { ...receiver, parties })) !== undefined) return [];
  return [
    messageFact(said, {
      profileId: receiver.data.profileId,
      networkMessageId: keptId(key.id),
      ...parties,
      pushName: pushName ?? null,
      sentAt: timestampOf(messageTimestamp),
      delivery: 'history',
    }),
  ];
}

/** The timer of disappearing messages that the phone listed for a chat. @param now seconds since 1970 */
export async function historyTimer(
  listed: Chat,
  { state, data: { profileId } }: Receiver,
  now: number,
): Promise<Fact[]> {
  const timer = listedTimer(listed, now);
  const { id } = listed;
  if (timer === undefined || !id) return [];
  const chat = id.endsWith('@g.us') ? { jid: id } : await person(id, undefined, state);
  if (chat === undefined) return [];
  const fact = await timerFact(timer, { chat, fromMe: false }, { profileId, state }, true);
  return fact === undefined ? [] : [fact];
}
