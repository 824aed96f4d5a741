import { getBinaryNodeChildren, type BinaryNode, type WAMessage } from '@whiskeysockets/baileys';
import type { Fact } from '../engine.ts';
import { isSelf, partiesOf, person, type Self } from './addresses.ts';
import { contentOf, type Content } from './incoming-content.ts';
import type { proto } from '@whiskeysockets/baileys';
import type { SignalState } from './signal-state.ts';

export interface Receiver {
  readonly profileId: string;
  readonly self: Self;
  readonly state: SignalState;
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The fact that a decrypted stanza tells; none when it holds no message for people. */
export async function messageFacts(stanza: BinaryNode, message: proto.IMessage, receiver: Receiver): Promise<Fact[]> {
  const found = contentOf(message);
  const parties = found === undefined ? undefined : await partiesOf(stanza, receiver.self, receiver.state);
  if (found === undefined || parties === undefined) return [];
  return [
    messageFact(found, {
      profileId: receiver.profileId,
      networkMessageId: stanza.attrs['id'] ?? '',
      ...parties,
      pushName: stanza.attrs['notify'] ?? null,
      sentAt: timeOf(Number(stanza.attrs['t'] ?? 0)),
      delivery: stanza.attrs['offline'] === undefined ? 'live' : 'replayed',
    }),
  ];
}

type MessageData = Extract<Fact, { kind: 'message' }>['data'];

const messageFact = (found: Content, data: Omit<MessageData, 'content' | 'quotedNetworkMessageId'>): Fact => ({
  kind: 'message',
  data: { ...data, ...found },
});

const receiptStatus: Readonly<Record<string, 'delivered' | 'read' | 'played'>> = {
  // A device that is not looked at confirms with `inactive`; the message has arrived all the same.
  '': 'delivered',
  inactive: 'delivered',
  read: 'read',
  played: 'played',
};

/** How far messages of ours have come, as a receipt stanza tells it. */
export function receiptFacts(stanza: BinaryNode, { profileId, self }: Receiver): Fact[] {
  const { attrs, content } = stanza;
  const status = receiptStatus[attrs['type'] ?? ''];
  if (status === undefined || isSelf(attrs['participant'] ?? attrs['from'], self)) return [];
  const [list] = Array.isArray(content) ? content : [];
  const ids = [
    attrs['id'],
    ...(list === undefined ? [] : getBinaryNodeChildren(list, 'item').map((item) => item.attrs['id'])),
  ];
  const at = timeOf(Number(attrs['t'] ?? 0));
  return ids
    .filter((id) => id !== undefined)
    .map((networkMessageId) => ({ kind: 'receipt', data: { profileId, networkMessageId, status, at } }));
}

/** A message that the phone handed over when it was linked. */
export async function historyFacts(
  { key, message, messageTimestamp, pushName }: WAMessage,
  receiver: Receiver,
): Promise<Fact[]> {
  const found = message === undefined || message === null ? undefined : contentOf(message);
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
  if (found === undefined || chat === undefined || writer === undefined || !key.id) return [];
  return [
    messageFact(found, {
      profileId: receiver.profileId,
      networkMessageId: key.id,
      chat,
      author: writer,
      fromMe: key.fromMe === true,
      pushName: pushName ?? null,
      sentAt: timeOf(Number(messageTimestamp ?? 0)),
      delivery: 'history',
    }),
  ];
}
