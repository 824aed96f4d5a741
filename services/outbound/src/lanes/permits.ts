import type { Clock } from '@messaging-gateway/runtime';

/** A permit comes back by itself after so long, milliseconds: its holder waits for the network, and costs nobody else a turn. */
const longest = 500;

interface Share {
  held: number;
  readonly waiting: (() => void)[];
}

/**
 * So many at the same time, at most. What comes free goes to the tenant that holds the fewest, and with a tenant to who came first:
 * one tenant's many slow profiles cost another tenant half a second at most, once.
 *
 * @see docs/decisions/0543-permits-of-deliveries.md
 */
export class Permits {
  #free: number;
  readonly #clock: Pick<Clock, 'now' | 'at'>;
  /** Of tenants who hold or wait; who has waited longest without getting any comes first among equals. */
  readonly #shares = new Map<string, Share>();

  constructor(count: number, clock: Pick<Clock, 'now' | 'at'>) {
    this.#free = count;
    this.#clock = clock;
  }

  /** @returns gives the permit back; it comes back by itself after half a second */
  async take(tenant: string): Promise<() => void> {
    const share = this.#shares.get(tenant) ?? { held: 0, waiting: [] };
    this.#shares.set(tenant, share);
    if (this.#free > 0) {
      this.#free -= 1;
      share.held += 1;
    } else await new Promise<void>((resolve) => share.waiting.push(resolve));
    let given = false;
    const giveBack = (): void => {
      if (given) return;
      given = true;
      cancel();
      share.held -= 1;
      this.#free += 1;
      this.#hand(tenant, share);
    };
    const cancel = this.#clock.at(this.#clock.now() + longest, giveBack);
    return giveBack;
  }

  #hand(from: string, gave: Share): void {
    if (gave.held === 0 && gave.waiting.length === 0) this.#shares.delete(from);
    let next: readonly [string, Share] | undefined;
    for (const one of this.#shares)
      if (one[1].waiting.length > 0 && one[1].held < (next?.[1].held ?? Infinity)) next = one;
    if (next === undefined) return;
    const [tenant, share] = next;
    const enter = share.waiting.shift();
    this.#free -= 1;
    share.held += 1;
    this.#shares.delete(tenant);
    this.#shares.set(tenant, share);
    enter?.();
  }
}
