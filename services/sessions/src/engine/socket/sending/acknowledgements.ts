import type { BinaryNode } from '@whiskeysockets/baileys';
import { Recent } from '../../../session-data/recent.ts';
import type { SendOutcome } from '../../engine.ts';

/** Answers that come late are taken for so many messages. */
const mostLate = 1_000;

/** Waits for the network's answers to messages of one connection. */
export class Acknowledgements {
  readonly #waiting = new Map<string, (outcome: SendOutcome) => void>();
  /** Nobody waits for them any more. */
  readonly #late = new Recent<(outcome: SendOutcome) => void>(mostLate);

  /**
   * Resolves with the answer, or with `handed-over` when the connection ends or nobody can wait any longer.
   *
   * @param late told of an answer that comes after that, over the same connection
   */
  expect(networkMessageId: string, milliseconds: number, late?: (outcome: SendOutcome) => void): Promise<SendOutcome> {
    return new Promise((resolve) => {
      this.#late.delete(networkMessageId);
      const settle = (outcome: SendOutcome): void => {
        clearTimeout(timer);
        this.#waiting.delete(networkMessageId);
        resolve(outcome);
      };
      const timer = setTimeout(
        () => {
          settle({ outcome: 'handed-over' });
          if (late !== undefined) this.#late.set(networkMessageId, late);
        },
        Math.max(0, milliseconds),
      );
      this.#waiting.set(networkMessageId, settle);
    });
  }

  take({ attrs }: BinaryNode): void {
    const { id = '', error } = attrs;
    const settle = this.#waiting.get(id) ?? this.#late.get(id);
    this.#late.delete(id);
    settle?.(error === undefined || error === '0' ? { outcome: 'acknowledged' } : refusedWith(error));
  }

  /** The connection has ended: no answer will come. */
  end(): void {
    for (const settle of this.#waiting.values()) settle({ outcome: 'handed-over' });
  }
}

/** What the network's error codes in acknowledgements mean for the sender. */
const meanings: Readonly<Record<string, { code: string; reason: string }>> = {
  '401': { code: 'FORBIDDEN', reason: 'The network does not allow this profile to send to the chat (401).' },
  '403': { code: 'FORBIDDEN', reason: 'The profile may not write to this chat (403).' },
  '404': { code: 'RECIPIENT_UNKNOWN', reason: 'The network does not know the recipient (404).' },
  '406': { code: 'RECIPIENT_UNKNOWN', reason: 'The network does not accept the recipient (406).' },
  '463': { code: 'ENGINE_REFUSED', reason: 'The network does not let this profile write to strangers now (463).' },
  '479': { code: 'ENGINE_REFUSED', reason: 'The network found the message malformed or its keys outdated (479).' },
};

/** An acknowledgement with an error. */
export const refusedWith = (error: string): Extract<SendOutcome, { outcome: 'refused' }> => ({
  outcome: 'refused',
  ...(meanings[error] ?? { code: 'ENGINE_REFUSED', reason: `The network refused the message (${error}).` }),
});

export const recipientUnknown: Extract<SendOutcome, { outcome: 'refused' }> = {
  outcome: 'refused',
  code: 'RECIPIENT_UNKNOWN',
  reason: 'The number is not on the network. It must begin with its country code.',
};
