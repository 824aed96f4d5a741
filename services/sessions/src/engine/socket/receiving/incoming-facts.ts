import { type BinaryNode, type Chat, getBinaryNodeChildren, type proto, type WAMessage } from '@whiskeysockets/baileys';
import type { SessionData } from '../../../session-data/session-data-store.ts';
import type { Fact } from '../../engine.ts';
import { isSelf, partiesOf, person, type Self } from '../wire-format/addresses.ts';
import type { GroupCache } from '../groups/group-cache.ts';
import { listedTimer, timerFact, timerIn } from '../wire-format/chat-timers.ts';
import { changeOf } from './incoming-changes.ts';
import { type Content, contentOf } from './incoming-content.ts';
import { keptId, timestampOf } from '../wire-format/message-names.ts';
import type { SignalState } from '../signal/signal-state.ts';

export interface Receiver {
  readonly self: Self;
  readonly state: SignalState;
  readonly data: SessionData;
  readonly groups: Pick<GroupCache, 'isAdmin'>;
}

/** The fact that a decrypted stanza tells; none when it holds nothing for people. */
export async function messageFacts(stanza: BinaryNode, message: proto.IMessage, receiver: Receiver): Promise<Fact[]> {
  const parties = await partiesOf(stanza, receiver.self, receiver.state);
  if (parties === undefined) return [];
  const { profileId } = receiver.data;
  const at = timestampOf(stanza.attrs['t']);
  const delivery = stanza.attrs['offline'] === undefined ? 'live' : 'replayed';
  const timer = timerIn(message, Math.floor(Date.parse(at) / 1000));
  const setting = timer && (await timerFact(timer, parties, { profileId, state: receiver.state }));
  const settings = setting === undefined ? [] : [setting];
  const found = contentOf(message);
  if (found === undefined) {
    const changed = await changeOf(message, { ...receiver, parties });
    if (changed === undefined) return settings;
    return [...settings, { kind: 'change', data: { profileId, ...parties, ...changed, at, delivery } }];
  }
  const networkMessageId = keptId(stanza.attrs['id'] ?? '');
  const pushName = stanza.attrs['notify'] ?? null;
  return [...settings, messageFact(found, { profileId, networkMessageId, ...parties, pushName, sentAt: at, delivery })];
}

type MessageData = Extract<Fact, { kind: 'message' }>['data'];

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

/** How far messages of ours have come, as a receipt stanza tells it. */
export function receiptFacts(stanza: BinaryNode, { self, data: { profileId } }: Receiver): Fact[] {
  const { attrs, content } = stanza;
  const status = receiptStatus[attrs['type'] ?? ''];
  if (status === undefined || isSelf(attrs['participant'] ?? attrs['from'], self)) return [];
  const [list] = Array.isArray(content) ? content : [];
  const ids = [
    attrs['id'],
    ...(list === undefined ? [] : getBinaryNodeChildren(list, 'item').map((item) => item.attrs['id'])),
  ];
  const at = timestampOf(attrs['t']);
  return ids
    .filter((id) => id !== undefined)
    .map((networkMessageId) => ({ kind: 'receipt', data: { profileId, networkMessageId, status, at } }));
}

/** A message that the phone handed over when it was linked. Its media are not fetched: there can be thousands. */
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
  const { attachment: _notFetched, ...said } = found;
  return [
    messageFact(said, {
      profileId: receiver.data.profileId,
      networkMessageId: keptId(key.id),
      chat,
      author: writer,
      fromMe: key.fromMe === true,
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
