import type { Sql } from '@messaging-gateway/service';

/** A message that is not here yet, by its id on the network. */
export interface Target {
  readonly profileId: string;
  readonly networkMessageId: string;
}

/** Messages remembered, at most; with more of them the table is asked each time. */
const capacity = 50_000;

/**
 * The messages that changes wait for, in the memory of the one process that keeps changes. Holds some that no change waits
 * for any more, and never misses one.
 */
export class WaitingTargets {
  readonly #sql: Sql;
  #known: Promise<Set<string>> | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** A change of this message is about to be kept. */
  async expect(target: Target): Promise<void> {
    const all = await this.#all();
    if (all.size <= capacity) all.add(keyOf(target));
  }

  /** Whether a change may wait for it. */
  async has(target: Target): Promise<boolean> {
    const all = await this.#all();
    return all.size > capacity || all.has(keyOf(target));
  }

  #all(): Promise<Set<string>> {
    this.#known ??= this.#read().catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    return this.#known;
  }

  async #read(): Promise<Set<string>> {
    const rows = await this.#sql.query<{ profile_id: string; network_message_id: string }>(
      'SELECT profile_id, network_message_id FROM waiting_changes WHERE NOT settled LIMIT $1',
      [capacity + 1],
    );
    return new Set(
      rows.map(({ profile_id, network_message_id }) =>
        keyOf({ profileId: profile_id, networkMessageId: network_message_id }),
      ),
    );
  }
}

const keyOf = ({ profileId, networkMessageId }: Target): string => `${profileId} ${networkMessageId}`;
