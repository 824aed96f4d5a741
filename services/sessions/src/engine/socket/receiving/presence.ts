import { type BinaryNode, getAllBinaryNodeChildren, jidDecode, type WASocket } from '@whiskeysockets/baileys';
import type { PresenceShown } from '../../engine.ts';
import { isSelf, person, toNetwork, type Self } from '../wire-format/addresses.ts';
import type { SignalState } from '../signal/signal-state.ts';

export interface PresenceParts {
  readonly socket: WASocket;
  readonly state: SignalState;
  readonly self: () => Self;
  readonly isCurrent: () => boolean;
  readonly shown: (shown: PresenceShown) => void;
}

const isGroup = (jid: string): boolean => jid.endsWith('@g.us');

/**
 * Presence over one connection: what comes of chats that are followed is told, all else is dropped by a look into memory.
 * The network shows it only to clients that are there themselves.
 */
export class SocketPresence {
  readonly #parts: PresenceParts;
  /** Every name of the chats that are followed, and how each was given. */
  #chats = new Map<string, string>();
  /** The other names of people, once they are known. */
  readonly #otherNames = new Map<string, string>();
  readonly #asked = new Set<string>();
  #isThere = false;
  /** Authors in groups are looked up one after the other, so that what they do keeps its order. */
  #last: Promise<void> = Promise.resolve();

  constructor(parts: PresenceParts) {
    this.#parts = parts;
    for (const event of ['CB:presence', 'CB:chatstate'])
      parts.socket.ws.on(event, (stanza: BinaryNode) => this.#take(stanza));
  }

  /** Follows these chats and no others: JIDs of people and groups. Those of groups need not be asked of the network. */
  async follow(chats: readonly string[]): Promise<void> {
    const wanted = new Set(chats);
    for (const chat of this.#asked) if (!wanted.has(chat)) this.#asked.delete(chat);
    await this.#name(chats);
    await this.#beThere(chats.length > 0);
    const unasked = chats.filter((chat) => !isGroup(chat) && !this.#asked.has(chat));
    for (const chat of unasked) {
      await this.#parts.socket.presenceSubscribe(toNetwork(chat));
      this.#asked.add(chat);
    }
    // To ask, the library has found out names that were not known.
    if (unasked.some((chat) => !this.#otherNames.has(chat))) await this.#name(chats);
  }

  async #name(chats: readonly string[]): Promise<void> {
    await this.#learnNames(chats.filter((chat) => !isGroup(chat) && !this.#otherNames.has(chat)));
    this.#chats = new Map(
      chats.flatMap((chat) => [chat, this.#otherNames.get(chat) ?? chat].map((name): [string, string] => [name, chat])),
    );
  }

  async #learnNames(chats: readonly string[]): Promise<void> {
    const keys = chats.map((chat) => mappingOf(chat));
    const found = keys.length === 0 ? {} : await this.#parts.state.get<string>('lid-mapping', keys);
    chats.forEach((chat, place) => {
      const user = jidDecode(found[keys[place] ?? ''])?.user ?? found[keys[place] ?? ''];
      if (user !== undefined) this.#otherNames.set(chat, chat.endsWith('@lid') ? `${user}@c.us` : `${user}@lid`);
    });
  }

  /** The library says nothing for an account whose name it does not know yet. */
  async #beThere(isThere: boolean): Promise<void> {
    if (isThere === this.#isThere) return;
    this.#isThere = isThere;
    const { socket } = this.#parts;
    const type = isThere ? 'available' : 'unavailable';
    if (socket.authState.creds.me?.name) await socket.sendPresenceUpdate(type);
    else await socket.sendNode({ tag: 'presence', attrs: { type } });
  }

  #take(stanza: BinaryNode): void {
    const { isCurrent, self, shown } = this.#parts;
    const chat = this.#chats.get(named(stanza.attrs['from']));
    if (chat === undefined || !isCurrent()) return;
    const seen = stanza.tag === 'presence' ? thereIn(stanza) : typingIn(stanza);
    const { participant } = stanza.attrs;
    if (seen === undefined) return;
    if (!isGroup(chat)) return shown({ chat, ...seen });
    if (participant === undefined || isSelf(participant, self())) return;
    this.#last = this.#last.then(() => this.#inGroup(chat, stanza, seen)).catch(() => undefined);
  }

  async #inGroup(chat: string, { attrs }: BinaryNode, seen: Pick<PresenceShown, 'presence'>): Promise<void> {
    const { state, isCurrent, shown } = this.#parts;
    const author = await person(attrs['participant'] ?? '', attrs['participant_pn'] ?? attrs['participant_lid'], state);
    if (author !== undefined && isCurrent()) shown({ chat, author, ...seen });
  }
}

/** Under which the session data holds the other name of a person. */
function mappingOf(chat: string): string {
  const user = jidDecode(chat)?.user ?? '';
  return chat.endsWith('@lid') ? `${user}_reverse` : user;
}

/** The name of a chat as the gateway has it, without a device. */
function named(jid: string | undefined): string {
  const { user, server } = jidDecode(jid) ?? {};
  return `${user}@${server === 's.whatsapp.net' ? 'c.us' : server}`;
}

/** Seconds since 1970 that a date can have. */
const latest = 8_640_000_000_000;

function thereIn({
  attrs: { type = 'available', last },
}: BinaryNode): Pick<PresenceShown, 'presence' | 'lastSeen'> | undefined {
  if (type === 'available') return { presence: type };
  if (type !== 'unavailable') return undefined;
  const seconds = last === undefined || !/^\d+$/.test(last) ? 0 : Number(last);
  return { presence: type, ...(seconds > 0 && seconds <= latest && { lastSeen: seconds * 1000 }) };
}

function typingIn(stanza: BinaryNode): Pick<PresenceShown, 'presence'> | undefined {
  const [shown] = getAllBinaryNodeChildren(stanza);
  if (shown?.tag === 'paused') return { presence: 'paused' };
  if (shown?.tag !== 'composing') return undefined;
  return { presence: shown.attrs['media'] === 'audio' ? 'recording' : 'composing' };
}
