/** Time as a port, so that midnight, backoff and expiry can be tested: a test clock may jump. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Calls back once when the clock has reached a time (at once, on a later turn, if it has passed).
   * Does not keep the process alive. @returns cancels it
   */
  at(time: number, callback: () => void): () => void;
  /** Resolves when the clock has moved on by so many milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
