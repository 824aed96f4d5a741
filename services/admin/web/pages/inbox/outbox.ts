import { ask } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { newId } from '../../api/ids.ts';
import { Problem } from '../../api/problem.ts';
import type { Composed, Outgoing } from './outgoing.ts';

const triesAgain = 6;
/** Between such tries, milliseconds. */
const pauseMs = 2_000;
const longestPauseMs = 10_000;

/** Messages sent from this tab that are not yet among those of the gateway. */
class Outbox {
  #all: readonly Outgoing[] = [];
  readonly #watchers = new Set<() => void>();

  /** @returns takes it back */
  watch = (told: () => void): (() => void) => {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
  };

  read = (): readonly Outgoing[] => this.#all;

  /** Sends what was composed: it is shown at once. @returns how it stands then */
  send(chat: string, composed: Composed): Promise<Outgoing> {
    const outgoing: Outgoing = {
      ...composed,
      chat,
      id: newId(),
      key: newId(),
      startedAt: serverNow(),
      state: 'sending',
    };
    this.#set([...this.#all, outgoing]);
    return this.#try(outgoing);
  }

  /**
   * Sends again what has failed. As long as nobody knows whether it left it keeps its key, so that it never leaves twice; what was
   * refused did not leave, and its refusal would be answered again under that key. It is tried for a while: a gateway that has just come back may
   * need some seconds.
   */
  async tryAgain(id: string): Promise<Outgoing | undefined> {
    const outgoing = this.#all.find((one) => one.id === id);
    if (outgoing === undefined || outgoing.state !== 'failed') return undefined;
    const key = outgoing.problem?.unsure === true ? outgoing.key : newId();
    return this.#try(this.#change(outgoing, { key, state: 'sending', problem: undefined }), triesAgain);
  }

  /** Removes messages: failed ones when somebody does not want them any more, accepted ones when they are shown otherwise. */
  drop(...ids: readonly string[]): void {
    if (ids.length > 0) this.#set(this.#all.filter(({ id }) => !ids.includes(id)));
  }

  async #try(outgoing: Outgoing, tries = 1): Promise<Outgoing> {
    try {
      const { operation, request, key } = outgoing;
      const { messageId } = await ask(operation, request, { key });
      return this.#change(outgoing, { state: 'accepted', messageId });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (tries > 1 && error.unsure && error.passing) {
        const pause = Math.max(pauseMs, (error.retryAfter ?? 0) * 1000);
        await new Promise((resolve) => setTimeout(resolve, Math.min(pause, longestPauseMs)));
        return this.#try(outgoing, tries - 1);
      }
      const named = messageIn(error);
      return named === undefined
        ? this.#change(outgoing, { state: 'failed', problem: error })
        : this.#change(outgoing, { state: 'accepted', problem: error, messageId: named });
    }
  }

  #change(outgoing: Outgoing, change: Partial<Outgoing>): Outgoing {
    const changed = { ...outgoing, ...change };
    this.#set(this.#all.map((one) => (one.id === outgoing.id ? changed : one)));
    return changed;
  }

  #set(all: readonly Outgoing[]): void {
    this.#all = all;
    for (const told of this.#watchers) told();
  }
}

/** The message that a refusal is about: it is stored, and says itself how it stands. */
function messageIn({ details }: Problem): string | undefined {
  const { messageId } = (details ?? {}) as { readonly messageId?: unknown };
  return typeof messageId === 'string' ? messageId : undefined;
}

/** The outbox of this tab. */
export const outbox = new Outbox();
