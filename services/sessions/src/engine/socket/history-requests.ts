import { Refused } from '@messaging-gateway/messaging';
import type { HandedOver } from '../engine.ts';

/** Answers that came before it was known what they answer, at most. */
const mostEarly = 20;

/** Requests to the phone for older messages, until it hands them over. */
export class HistoryRequests {
  readonly #open = new Map<string, (answer: HandedOver) => void>();
  readonly #early = new Map<string, HandedOver>();

  /**
   * @param send sends the request; gives its id
   * @throws Refused ENGINE_TIMEOUT when the phone does not answer in time
   */
  async ask(send: () => Promise<string>, waitMs: number): Promise<HandedOver> {
    const id = await send();
    const early = this.#early.get(id);
    if (early !== undefined) return early;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#open.delete(id);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Refused('ENGINE_TIMEOUT', 'The phone does not hand over older messages now.'));
      }, waitMs);
      this.#open.set(id, (answer) => {
        end();
        resolve(answer);
      });
    });
  }

  /** The phone has handed over messages, and they are kept. */
  answered(id: string, answer: HandedOver): void {
    const waiting = this.#open.get(id);
    if (waiting !== undefined) return waiting(answer);
    if (this.#early.size >= mostEarly) this.#early.clear();
    this.#early.set(id, answer);
  }
}
