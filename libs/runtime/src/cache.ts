/** Short-lived shared values: memory (standalone) or Redis. Losing it loses speed, never truth. */
export interface Cache {
  get(key: string): Promise<string | undefined>;
  getMany(keys: readonly string[]): Promise<(string | undefined)[]>;
  /** @param ttlMs milliseconds until it is forgotten */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Adds one and returns the new number; the first makes it with the time to live. */
  increment(key: string, ttlMs: number): Promise<number>;
}
