import { moved } from './moved.ts';
import type { Ownership } from './ownership.ts';

/** Owners remembered, at most. */
const remembered = 20_000;

/** Requests to the owners of lanes in other replicas; given up when an owner is found dead. */
export class OwnerCalls {
  readonly #ownership: Ownership;
  readonly #owners = new Map<string, string>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(ownership: Ownership) {
    this.#ownership = ownership;
  }

  /** The replica that owns a lane, as it was last seen or by the database; undefined when no other one does. */
  async ownerOf(profileId: string): Promise<string | undefined> {
    const known = this.#owners.get(profileId);
    if (known !== undefined) return known;
    const owner = await this.#ownership.ownerOf(profileId);
    if (owner === undefined || owner === this.#ownership.replicaId) return undefined;
    if (this.#owners.size >= remembered) this.#owners.delete(this.#owners.keys().next().value as string);
    this.#owners.set(profileId, owner);
    return owner;
  }

  /** Whether another replica was last seen to own the lane. */
  knows(profileId: string): boolean {
    return this.#owners.has(profileId);
  }

  /** What was remembered was wrong. */
  forget(profileId: string): void {
    this.#owners.delete(profileId);
  }

  /** @throws Refused `moved` when the owner died meanwhile; the call may have had its effect all the same */
  async whileAlive<T>(owner: string, call: () => Promise<T>): Promise<T> {
    const those = this.#waiting.get(owner) ?? new Set();
    this.#waiting.set(owner, those);
    const { promise: death, reject } = Promise.withResolvers<never>();
    const died = (): void => reject(moved());
    those.add(died);
    try {
      return await Promise.race([call(), death]);
    } finally {
      those.delete(died);
      if (those.size === 0) this.#waiting.delete(owner);
    }
  }

  /** Asks the database who of those that are waited for lives. */
  async look(): Promise<void> {
    const owners = [...this.#waiting.keys()];
    const living = await this.#ownership.living(owners);
    for (const owner of owners) if (!living.has(owner)) for (const died of this.#waiting.get(owner) ?? []) died();
  }

  /** Gives up waiting for all. */
  close(): void {
    for (const those of this.#waiting.values()) for (const died of those) died();
  }
}
