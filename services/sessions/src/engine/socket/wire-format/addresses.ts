import { type AuthenticationCreds, type BinaryNode, jidDecode, jidNormalizedUser } from '@whiskeysockets/baileys';
import type { DataOf, SessionMessage } from '@messaging-gateway/contracts';
import type { SignalState } from '../signal/signal-state.ts';

export type NetworkAddress = DataOf<typeof SessionMessage>['chat'];

/** The addresses of this client on the network. */
export interface Self {
  readonly phone: string;
  readonly lid: string | undefined;
}

/** The form in which the network names a chat that the gateway calls `<digits>@c.us`. */
export const toNetwork = (jid: string): string => jid.replace(/@c\.us$/, '@s.whatsapp.net');

const userOf = (jid: string | undefined): string | undefined => (jid === undefined ? undefined : jidDecode(jid)?.user);
const isLid = (jid: string | undefined): boolean => jid?.endsWith('lid') ?? false;

/** Whether an address is this client's own, by phone or by LID. */
export function isSelf(jid: string | undefined, self: Self): boolean {
  const user = userOf(jid);
  return user !== undefined && (isLid(jid) ? user === self.lid : user === self.phone);
}

/** The author of a stanza's message, and its chat. Undefined for what is no chat: status posts, channels. */
export interface Parties {
  readonly chat: NetworkAddress;
  readonly author: NetworkAddress;
  readonly fromMe: boolean;
  /** The author wrote it to a broadcast list: the private chat with the author shows it. */
  readonly broadcast?: true;
}

/** Whether an address is a broadcast list of somebody; status posts go to an address of the same form. */
export const isBroadcastList = (jid: string): boolean => jid.endsWith('@broadcast') && jid !== 'status@broadcast';

export async function partiesOf({ attrs }: BinaryNode, self: Self, state: SignalState): Promise<Parties | undefined> {
  const { from = '', participant, recipient } = attrs;
  const own = selfAddress(self);
  if (from.endsWith('@g.us')) {
    const author = await person(
      participant ?? '',
      attrs['participant_pn'] ?? attrs['participant_lid'] ?? attrs['sender_pn'],
      state,
    );
    return author === undefined
      ? undefined
      : { chat: { jid: from }, author: isSelf(participant, self) ? own : author, fromMe: isSelf(participant, self) };
  }
  if (isBroadcastList(from)) {
    const author = await person(participant ?? '', attrs['participant_pn'] ?? attrs['participant_lid'], state);
    // A list of the profile itself has no chat here.
    if (author === undefined || isSelf(participant, self)) return undefined;
    return { chat: author, author, fromMe: false, broadcast: true };
  }
  if (isSelf(from, self) && recipient !== undefined) {
    const chat = await person(
      recipient,
      attrs['recipient_pn'] ?? attrs['peer_recipient_pn'] ?? attrs['recipient_lid'] ?? attrs['peer_recipient_lid'],
      state,
    );
    return chat === undefined ? undefined : { chat, author: own, fromMe: true };
  }
  const sender = await person(from, attrs['sender_pn'] ?? attrs['sender_lid'], state);
  return sender === undefined ? undefined : { chat: sender, author: sender, fromMe: isSelf(from, self) };
}

/** A person by phone and LID, as far as both are known. Undefined for an address that is no person's. */
export async function person(
  jid: string,
  other: string | undefined,
  state: SignalState,
): Promise<NetworkAddress | undefined> {
  if (!/@(s\.whatsapp\.net|c\.us|lid|hosted|hosted\.lid)$/.test(jid)) return undefined;
  const user = userOf(jid);
  if (user === undefined) return undefined;
  const mapping = isLid(jid) ? `${user}_reverse` : user;
  const counterpart = userOf(other) ?? (await state.get<string>('lid-mapping', [mapping]))[mapping];
  return isLid(jid) ? addressOf(counterpart, user) : addressOf(user, counterpart);
}

function addressOf(phone: string | undefined, lid: string | undefined): NetworkAddress {
  return {
    jid: phone === undefined ? `${lid}@lid` : `${phone}@c.us`,
    ...(phone !== undefined && { phone }),
    ...(lid !== undefined && { lid: `${lid}@lid` }),
  };
}

/** The address of this client as facts name it. */
export const selfAddress = ({ phone, lid }: Self): NetworkAddress => addressOf(phone, lid);

/** All addresses of a person, in the form in which they take part in the key of a vote. */
export const addressesOf = ({ phone, lid }: Pick<NetworkAddress, 'phone' | 'lid'>): string[] => [
  ...(lid === undefined ? [] : [jidNormalizedUser(lid)]),
  ...(phone === undefined ? [] : [`${phone}@s.whatsapp.net`]),
];

export const ownAddresses = ({ phone, lid }: Self): string[] =>
  addressesOf({ phone, ...(lid !== undefined && { lid: `${lid}@lid` }) });

/** A link by pairing code begins with a placeholder. */
export const nameOf = (name: string | undefined): string | undefined =>
  name === '~' || name === '' ? undefined : name;

/** The addresses of a client, once it is linked. */
export function selfOf({ me }: AuthenticationCreds): Self {
  return { phone: jidDecode(me?.id)?.user ?? '', lid: jidDecode(me?.lid)?.user };
}
