/** Collects what arrives and lets a test wait for it. */
export class Collector<T> {
  readonly items: T[] = [];
  #waiting: (() => void)[] = [];

  add(item: T): void {
    this.items.push(item);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when so many have come, or when the condition holds. */
  async until(condition: number | ((items: readonly T[]) => boolean)): Promise<readonly T[]> {
    const enough = typeof condition === 'number' ? () => this.items.length >= condition : () => condition(this.items);
    while (!enough()) await new Promise<void>((wake) => this.#waiting.push(wake));
    return this.items;
  }
}

/** Opened and closed by the test. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
