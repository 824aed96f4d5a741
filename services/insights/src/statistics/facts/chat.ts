import { anyWords, ownWords, type Fact } from './fact.ts';

/** Since the last answer, by one way of counting answers. Places are compared as texts. */
interface Waiting {
  readonly lastAnswer: string | null;
  /** The first message since then that waits for an answer. */
  readonly asked: string | null;
}

/** Where a private chat stands. */
export interface Chat {
  readonly lastIncoming: string | null;
  /** By what people and clients say. */
  readonly own: Waiting;
  /** By what automation says too. */
  readonly any: Waiting;
}

/** A message in the chat. */
export interface Turn extends Pick<Fact, 'place' | 'direction' | 'origin'> {
  readonly failed: boolean;
}

/** An answer, and what it answers. */
export interface Answered {
  readonly withAutomatic: boolean;
  readonly answer: string;
  readonly asked: string;
}

const silent: Waiting = { lastAnswer: null, asked: null };
export const newChat: Chat = { lastIncoming: null, own: silent, any: silent };

/** Both ways of counting answers. */
export const ways = [
  { withAutomatic: false, name: 'own', origins: ownWords },
  { withAutomatic: true, name: 'any', origins: anyWords },
] as const;

/**
 * Goes on with a chat by one turn. What comes in its order, as nearly all does, needs nothing but where the chat stands.
 *
 * @returns undefined: the turn lies among earlier ones, and what is around it has to be counted again
 */
export function goOn(chat: Chat, turn: Turn): { readonly chat: Chat; readonly answered: Answered[] } | undefined {
  const answered: Answered[] = [];
  if (turn.direction === 'incoming') {
    const own = ask(chat.own, turn.place);
    const any = ask(chat.any, turn.place);
    if (own === undefined || any === undefined) return undefined;
    return { chat: { lastIncoming: later(chat.lastIncoming, turn.place), own, any }, answered };
  }
  let next = chat;
  for (const { withAutomatic, name, origins } of ways) {
    if (turn.failed || !origins.includes(turn.origin)) continue;
    const { lastAnswer, asked } = chat[name];
    if (isAfter(lastAnswer, turn.place) || isAfter(chat.lastIncoming, turn.place)) return undefined;
    if (asked !== null) answered.push({ withAutomatic, answer: turn.place, asked });
    next = { ...next, [name]: { lastAnswer: turn.place, asked: null } };
  }
  return { chat: next, answered };
}

function ask({ lastAnswer, asked }: Waiting, place: string): Waiting | undefined {
  if (isAfter(lastAnswer, place)) return undefined;
  return { lastAnswer, asked: asked === null || place < asked ? place : asked };
}

const isAfter = (one: string | null, other: string): boolean => one !== null && one > other;
const later = (one: string | null, other: string): string => (one === null || other > one ? other : one);
