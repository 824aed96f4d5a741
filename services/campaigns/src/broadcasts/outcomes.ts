import type { AcceptMessage, AnswerOf } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { Audience, Concerned } from './audience.ts';
import { recipientMessageId } from './fixing.ts';
import type { Outcome } from './telling.ts';

interface OutcomesParts {
  readonly audience: Audience;
  readonly clock: Clock;
  /** Has the runner look for due broadcasts. */
  readonly wake: () => void;
}

/** Takes in what becomes of the messages of broadcasts, told in whatever order, however often. */
export class Outcomes {
  readonly #parts: OutcomesParts;
  /** Resolved when a message that is waited for here is settled. */
  readonly #awaited = new Map<string, (isSettled: boolean) => void>();

  constructor(parts: OutcomesParts) {
    this.#parts = parts;
  }

  /** Takes in the outcome of a message. @returns whether it is one of a broadcast */
  async settled(messageId: string, outcome: Outcome): Promise<boolean> {
    return this.#goOn(messageId, await this.#parts.audience.settle(messageId, outcome));
  }

  /** The contact is gone, and the message was never handed over. */
  async leaveOut(messageId: string): Promise<boolean> {
    return this.#goOn(messageId, await this.#parts.audience.leaveOutReleased(messageId, 'CONTACT_DELETED'));
  }

  /** Takes in the outcome of a message that stood for the id already: told before, and perhaps not heard. */
  async answered(messageId: string, { status, attempts, error, at }: AnswerOf<typeof AcceptMessage>): Promise<void> {
    if (status === 'queued') return;
    await this.told(messageId, {
      status,
      attempts,
      ...(error !== undefined && { error }),
      at: at === undefined ? this.#parts.clock.now() : Date.parse(at),
    });
  }

  /**
   * Handles the outcome of a message. A message that was not sent because the quiet hours, the end of the limit or a restriction of the
   * account came first is sent later, under another id.
   *
   * @returns whether it is one of a broadcast
   */
  async told(messageId: string, outcome: Outcome): Promise<boolean> {
    const { audience, wake } = this.#parts;
    const code = outcome.status === 'failed' ? outcome.error?.code : undefined;
    const isUnsent = outcome.attempts === 0 && (code === 'EXPIRED' || code === 'DAILY_LIMIT_REACHED');
    const isHeld = code === 'PROFILE_RESTRICTED' || code === 'RATE_LIMITED';
    if (!isUnsent && !isHeld) return this.settled(messageId, outcome);
    const one = await audience.byMessage(messageId);
    if (one === undefined) return false;
    const { contact_id: contactId, round } = one;
    const broadcastId = await audience.broadcastOf(messageId);
    if (contactId === null || broadcastId === undefined) return this.leaveOut(messageId);
    await audience.putBack(messageId, recipientMessageId(broadcastId, contactId, round + 1));
    this.#awaited.get(messageId)?.(!isHeld);
    wake();
    return true;
  }

  /** Waits for the outcome of a message, whoever hears of it here. `within` is false when a restriction came first. */
  awaited(messageId: string): { within(ms: number): Promise<boolean>; stop(): void } {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let cancel = (): void => undefined;
    this.#awaited.set(messageId, resolve);
    return {
      within: (ms) => {
        cancel = this.#parts.clock.at(this.#parts.clock.now() + ms, () => resolve(false));
        return promise;
      },
      stop: () => {
        cancel();
        this.#awaited.delete(messageId);
      },
    };
  }

  #goOn(messageId: string, concerned: Concerned | undefined): boolean {
    if (concerned === undefined) return false;
    const { clock, wake } = this.#parts;
    const { goesOnAt } = concerned;
    const awaited = this.#awaited.get(messageId);
    if (awaited !== undefined) awaited(true);
    else if (goesOnAt !== undefined) clock.at(Math.max(goesOnAt, clock.now()), wake);
    return true;
  }
}
