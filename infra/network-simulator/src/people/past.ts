import type { Person } from './person.ts';

/** A message of long ago; `at` in seconds since 1970. */
export type PastMessage = { id: string; byOwner: boolean; text: string; at: number };
export type PastChat = { contact: Person; messages: readonly PastMessage[] };

/** How much past a phone has, and how its linked clients get it. */
export type PastPlan = {
  /** Messages in all, spread evenly, a minute apart; the last is a minute old. */
  messages: number;
  /** Numbers of those they were exchanged with. */
  contacts: string[];
  /** How many of each chat's messages, the oldest, the phone keeps until a client asks for them; 0 by default. */
  keptBack?: number;
  /** Messages in one part; 1000 by default. */
  perPart?: number;
  /** `message`, the default, puts a part into the message that announces it; `host` on the media host, encrypted. */
  via?: 'message' | 'host';
};

const MINUTE = 60;

/** The past of a simulated phone, from before its clients were linked: texts, every third by the owner, oldest first. */
export class Past {
  readonly chats: PastChat[];
  readonly plan: Required<PastPlan>;

  constructor(owner: Person, contacts: Person[], plan: PastPlan) {
    this.plan = { keptBack: 0, perPart: 1000, via: 'message', ...plan };
    const now = Math.floor(Date.now() / 1000);
    const all = contacts.map((contact) => ({ contact, messages: [] as PastMessage[] }));
    for (let at = 0; at < plan.messages; at += 1) {
      const chat = all[at % all.length];
      const id = `PAST${owner.lid}${String(at).padStart(9, '0')}`;
      const message = {
        id,
        byOwner: at % 3 === 2,
        text: `Past message ${at + 1}`,
        at: now - (plan.messages - at) * MINUTE,
      };
      chat?.messages.push(message);
    }
    this.chats = all;
  }

  /** The parts of history for newly linked clients, the newest first. */
  parts(): PastChat[][] {
    const { keptBack, perPart } = this.plan;
    const pieces = this.chats.flatMap(({ contact, messages }) => {
      const given = messages.slice(keptBack);
      const starts = Array.from({ length: Math.ceil(given.length / perPart) }, (_, at) => at * perPart);
      return starts.map((start) => ({ contact, messages: given.slice(start, start + perPart) }));
    });
    return packed(pieces.toReversed(), perPart);
  }

  /** Whether nothing of the chat is older than this piece of it. */
  beginsWith({ contact, messages }: PastChat): boolean {
    return this.chats.find((chat) => chat.contact === contact)?.messages[0] === messages[0];
  }

  /**
   * The messages of a chat before one that the client names, oldest first.
   * @param at when that one was written, in seconds: it need not be of this past
   */
  before(contact: Person, id: string, at: number, count: number): { messages: PastMessage[]; isAll: boolean } {
    const { messages } = this.chats.find((chat) => chat.contact === contact) ?? { messages: [] };
    const known = messages.findIndex((message) => message.id === id);
    const older = known >= 0 ? messages.slice(0, known) : messages.filter((message) => message.at < at);
    return { messages: older.slice(Math.max(0, older.length - count)), isAll: older.length <= count };
  }
}

/** Small pieces together, so that no part holds more messages than it may. */
function packed(pieces: PastChat[], perPart: number): PastChat[][] {
  const parts: PastChat[][] = [];
  let size = perPart;
  for (const piece of pieces) {
    size += piece.messages.length;
    if (size > perPart) {
      parts.push([]);
      size = piece.messages.length;
    }
    parts.at(-1)?.push(piece);
  }
  return parts;
}
