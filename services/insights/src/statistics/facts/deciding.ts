import { goOn, newChat, type Answered, type Chat } from './chat.ts';
import { Changes } from './counts.ts';
import { anyWords, higher, type Fact, type Progress } from './fact.ts';
import type { Gathered } from './gathering.ts';
import type { Known } from './known.ts';
import type { Changed } from './recounting.ts';

interface AnsweredBy extends Answered {
  readonly fact: Fact;
}

/** Facts of a private chat that a batch adds, and those that were there and that it changes. */
interface Touched {
  readonly said: Fact[];
  readonly changed: Fact[];
}

/** Rows to be written for a batch. */
export class Decision {
  readonly facts: Fact[] = [];
  readonly changes = new Changes();
  readonly ahead: Progress[] = [];
  /** Messages of which something was told ahead: it has reached them. */
  readonly caughtUp: string[] = [];
  readonly chats = new Map<string, { readonly organizationId: string; readonly chat: Chat }>();
  readonly answers: AnsweredBy[] = [];
  /** Chats in which something did not come in its order. */
  readonly recounted: Changed[] = [];

  readonly #known: Known;
  readonly #touched = new Map<string, Touched>();

  constructor({ messages, progress }: Pick<Gathered, 'messages' | 'progress'>, known: Known) {
    this.#known = known;
    for (const one of messages.values()) if (!known.erased.has(one.organizationId)) this.#message(one);
    for (const one of progress.values()) if (!known.erased.has(one.organizationId)) this.#progress(one);
    for (const [conversationId, touched] of this.#touched) this.#chat(conversationId, touched);
  }

  #message(told: Fact): void {
    const { facts, ahead, aliases } = this.#known;
    const before = facts.get(told.messageId);
    if (before !== undefined) return this.#advance(before, told.status);
    const further = ahead.get(told.messageId);
    if (further !== undefined) this.caughtUp.push(told.messageId);
    const status = further === undefined ? told.status : higher(told.status, further);
    const conversationId = aliases.get(told.conversationId) ?? told.conversationId;
    const fact = { ...told, conversationId, status };
    this.facts.push(fact);
    this.changes.appeared(fact);
    if (fact.isPrivate) this.#touch(fact).said.push(fact);
  }

  #progress(one: Progress): void {
    const before = this.#known.facts.get(one.messageId);
    if (before === undefined) this.ahead.push(one);
    else this.#advance(before, one.status);
  }

  #advance(before: Fact, to: Fact['status']): void {
    const status = higher(before.status, to);
    if (status === before.status) return;
    const after = { ...before, status };
    this.facts.push(after);
    this.changes.moved(before, after);
    if (mayAnswer(before) && (before.status === 'failed') !== (status === 'failed'))
      this.#touch(after).changed.push(after);
  }

  #touch({ conversationId }: Fact): Touched {
    const found = this.#touched.get(conversationId) ?? { said: [], changed: [] };
    this.#touched.set(conversationId, found);
    return found;
  }

  #chat(conversationId: string, { said, changed }: Touched): void {
    const inOrder = said.toSorted(byPlace);
    const gone = changed.length === 0 ? through(this.#known.chats.get(conversationId) ?? newChat, inOrder) : undefined;
    const all = [...inOrder, ...changed].toSorted(byPlace);
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined) return;
    const { organizationId } = first;
    if (gone === undefined) {
      this.recounted.push({ organizationId, conversationId, between: [first.place, last.place] });
      return;
    }
    this.chats.set(conversationId, { organizationId, chat: gone.chat });
    this.answers.push(...gone.answers);
  }
}

const byPlace = (one: Fact, other: Fact): number => (one.place < other.place ? -1 : 1);

const mayAnswer = ({ isPrivate, direction, origin }: Fact): boolean =>
  isPrivate && direction === 'outgoing' && anyWords.includes(origin);

/** @returns undefined when one of them does not come in its order */
function through(
  chat: Chat,
  said: readonly Fact[],
): { readonly chat: Chat; readonly answers: AnsweredBy[] } | undefined {
  let now = chat;
  const answers: AnsweredBy[] = [];
  for (const fact of said) {
    const next = goOn(now, { ...fact, failed: fact.status === 'failed' });
    if (next === undefined) return undefined;
    now = next.chat;
    answers.push(...next.answered.map((one) => ({ ...one, fact })));
  }
  return { chat: now, answers };
}
