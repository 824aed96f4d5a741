/** Short-lived shared values: memory (standalone) or Redis. Losing it loses speed, never truth. */
export interface Cache {
  get(key: string): Promise<string | undefined>;
  getMany(keys: readonly string[]): Promise<(string | undefined)[]>;
  /** @param ttlMs milliseconds until it is forgotten */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Adds one and returns the new number; the first makes it with the time to live. */
  increment(key: string, ttlMs: number): Promise<number>;
  /**
   * Names the life that the store is in: the same for all replicas that share it, and another one after it was
   * restarted or replaced, when it may have forgotten values or gone back to older ones. Undefined while it is away.
   */
  incarnation(): string | undefined;
}
