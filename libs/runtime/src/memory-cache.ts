import { randomUUID } from 'node:crypto';
import type { Cache } from './cache.ts';
import type { Clock } from './clock.ts';

interface Entry {
  value: string;
  expiresAt: number;
}

/** The cache of a single process. Entries that have expired are removed when they are met, and now and then. */
export function memoryCache(clock: Clock): Cache {
  const entries = new Map<string, Entry>();
  const incarnation = randomUUID();
  let sweepAt = 10_000;
  const live = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.expiresAt > clock.now()) return entry;
    entries.delete(key);
    return undefined;
  };
  const put = (key: string, value: string, ttlMs: number): void => {
    entries.set(key, { value, expiresAt: clock.now() + ttlMs });
    if (entries.size < sweepAt) return;
    for (const [name, entry] of entries) if (entry.expiresAt <= clock.now()) entries.delete(name);
    sweepAt = Math.max(10_000, entries.size * 2);
  };
  const get = async (key: string): Promise<string | undefined> => live(key)?.value;
  return {
    get,
    getMany: async (keys) => keys.map((key) => live(key)?.value),
    set: async (key, value, ttlMs) => put(key, value, ttlMs),
    delete: async (key) => void entries.delete(key),
    increment: async (key, ttlMs) => {
      const entry = live(key);
      const next = Number(entry?.value ?? 0) + 1;
      if (entry === undefined) put(key, String(next), ttlMs);
      else entry.value = String(next);
      return next;
    },
    incarnation: () => incarnation,
  };
}

/** A map that forgets what was not used for longest. */
export class Recent<Value> {
  readonly #limit: number;
  readonly #entries = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined && !this.#entries.has(key)) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value as Value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
