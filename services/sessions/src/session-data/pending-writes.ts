/** A value under the name of its key. */
export interface NamedValue {
  readonly name: string;
  readonly value: Buffer | undefined;
}

/** What one profile is writing: reads see it, and what depends on a write that failed is not written after it. */
export class PendingWrites {
  /** By the name of the key; the newest wins. */
  readonly #pending = new Map<string, NamedValue>();
  readonly #running = new Set<Promise<unknown>>();
  #broken: Error | undefined;

  /** What is being written under a name, if anything is. */
  of(name: string): NamedValue | undefined {
    return this.#pending.size === 0 ? undefined : this.#pending.get(name);
  }

  /** @throws what made the first write fail */
  assertWhole(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /** Shows the values to readers until `write` has settled. */
  async during(values: readonly NamedValue[], write: () => Promise<void>): Promise<void> {
    this.assertWhole();
    for (const value of values) this.#pending.set(value.name, value);
    const running = write();
    this.#running.add(running);
    try {
      await running;
    } catch (error) {
      this.#broken ??= error as Error;
      throw error;
    } finally {
      this.#running.delete(running);
      for (const value of values) if (this.#pending.get(value.name) === value) this.#pending.delete(value.name);
    }
    this.assertWhole();
  }

  /** Resolves when everything handed in so far is written or has failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
