import type { BinaryNode } from '@whiskeysockets/baileys';
import type { SendOutcome } from '../engine.ts';
import { refusedWith } from './refusal-codes.ts';

/** Waits for the network's answers to messages of one connection. */
export class Acknowledgements {
  readonly #waiting = new Map<string, (outcome: SendOutcome) => void>();

  /** Resolves with the answer, or with `handed-over` when the connection ends or nobody can wait any longer. */
  expect(networkMessageId: string, milliseconds: number): Promise<SendOutcome> {
    return new Promise((resolve) => {
      const settle = (outcome: SendOutcome): void => {
        clearTimeout(timer);
        this.#waiting.delete(networkMessageId);
        resolve(outcome);
      };
      const timer = setTimeout(() => settle({ outcome: 'handed-over' }), Math.max(0, milliseconds));
      this.#waiting.set(networkMessageId, settle);
    });
  }

  take({ attrs }: BinaryNode): void {
    const { id = '', error } = attrs;
    this.#waiting.get(id)?.(error === undefined || error === '0' ? { outcome: 'acknowledged' } : refusedWith(error));
  }

  /** The connection has ended: no answer will come. */
  end(): void {
    for (const settle of this.#waiting.values()) settle({ outcome: 'handed-over' });
  }
}
