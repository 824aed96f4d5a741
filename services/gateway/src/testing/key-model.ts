import type { Claim } from '../idempotency/key-store.ts';

/** Steps in the life of a key. */
export const steps = ['ask', 'ask otherwise', 'settle', 'fail', 'refuse', 'crash', 'expire'] as const;
export type Step = (typeof steps)[number];

/** A model of the store of keys in a few lines, for its property test. */
export class KeyModel {
  #resourceId: string | undefined;
  #unsettled = false;
  #answered = false;
  /** The attempt that runs now. */
  claim: Claim | undefined;

  /** @returns what asking must lead to, given the id that a new resource would have */
  asked(newId: string): unknown {
    if (this.#answered) return 'answered';
    if (this.claim !== undefined) return 'running';
    this.#resourceId ??= newId;
    return { resourceId: this.#resourceId, repeated: this.#unsettled };
  }

  get isKnown(): boolean {
    return this.#resourceId !== undefined;
  }

  ended(step: Step): void {
    this.#answered = step === 'settle';
    this.#unsettled ||= step === 'fail' || step === 'crash';
    this.claim = undefined;
  }
}
