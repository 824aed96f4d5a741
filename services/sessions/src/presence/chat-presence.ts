import type { Clock } from '@messaging-gateway/runtime';
import type { SeenPresence } from './presence-seen.ts';

/** Presence of one author in a chat, as it is seen. */
export type Doing = Pick<SeenPresence, 'author' | 'presence' | 'lastSeen'>;

/** Between two events of one chat, milliseconds. */
const gapMs = 1_000;
/** Writing that is not shown again for so long has ended, milliseconds: phones repeat it while it goes on. */
const typingMs = 25_000;
/** People of one chat that are remembered, at most. */
const most = 1_024;

const isTyping = ({ presence }: Pick<Doing, 'presence'>): boolean =>
  presence === 'composing' || presence === 'recording';
/** In a chat of two there is only one other side. */
const whose = ({ author }: Pick<Doing, 'author'>): string => author ?? '';
const isSame = (one: Doing | undefined, other: Doing): boolean =>
  one?.presence === other.presence && one.lastSeen === other.lastSeen;

/**
 * The presence that is told of one chat: of each person what has changed, and one event a second at most. What comes meanwhile
 * waits in memory, of each person the last.
 */
export class ChatPresence {
  readonly #clock: Pick<Clock, 'now' | 'at'>;
  readonly #tell: (doing: Doing) => Promise<void>;
  readonly #told = new Map<string, Doing>();
  readonly #waiting = new Map<string, Doing>();
  readonly #lapses = new Map<string, () => void>();
  #nextAt = 0;
  #cancel: (() => void) | undefined;
  #isTelling = false;
  #isStopped = false;

  /** @param tell is not called again before it has resolved, or failed: then what was to be told counts as unknown */
  constructor(clock: Pick<Clock, 'now' | 'at'>, tell: (doing: Doing) => Promise<void>) {
    this.#clock = clock;
    this.#tell = tell;
  }

  take(doing: Doing): void {
    if (this.#isStopped) return;
    const person = whose(doing);
    if (!this.#told.has(person) && this.#told.size + this.#waiting.size >= most) this.#forget();
    this.#lapse(doing);
    // What it went back to within the second is what is known already.
    if (isSame(this.#told.get(person), doing)) this.#waiting.delete(person);
    else this.#waiting.set(person, doing);
    this.#next();
  }

  /** A message ends what its author was seen writing: what the author writes next is told again. */
  wrote(author: string | undefined): void {
    const person = author ?? '';
    for (const known of [this.#told, this.#waiting]) {
      const doing = known.get(person);
      if (doing !== undefined && isTyping(doing)) known.delete(person);
    }
    this.#endLapse(person);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    for (const person of this.#lapses.keys()) this.#endLapse(person);
  }

  #next(): void {
    const [first] = this.#waiting.values();
    if (first === undefined || this.#isTelling || this.#cancel !== undefined || this.#isStopped) return;
    if (this.#clock.now() < this.#nextAt) {
      this.#cancel = this.#clock.at(this.#nextAt, () => {
        this.#cancel = undefined;
        this.#next();
      });
      return;
    }
    void this.#telling(first);
  }

  async #telling(doing: Doing): Promise<void> {
    const person = whose(doing);
    this.#isTelling = true;
    this.#waiting.delete(person);
    this.#told.set(person, doing);
    this.#nextAt = this.#clock.now() + gapMs;
    try {
      await this.#tell(doing);
    } catch {
      if (this.#told.get(person) === doing) this.#told.delete(person);
    }
    this.#isTelling = false;
    this.#next();
  }

  #lapse(doing: Doing): void {
    const person = whose(doing);
    this.#endLapse(person);
    if (!isTyping(doing)) return;
    const end = (): void => this.take({ ...doing, presence: 'paused' });
    this.#lapses.set(person, this.#clock.at(this.#clock.now() + typingMs, end));
  }

  #endLapse(person: string): void {
    this.#lapses.get(person)?.();
    this.#lapses.delete(person);
  }

  #forget(): void {
    this.#told.clear();
    this.#waiting.clear();
    for (const person of this.#lapses.keys()) this.#endLapse(person);
  }
}
