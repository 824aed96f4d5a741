import { Refused } from '@messaging-gateway/messaging';
import { nothingLeft } from '../engine/not-connected.ts';
import type { SessionData } from '../session-data/session-data-store.ts';

const id = 'epoch';

/**
 * Lets through who speaks with the newest epoch of the profile's lane, and refuses owners that were replaced. Kept with
 * the session data, so that it holds for the next holder of the profile as well. It is written before what follows it,
 * so a send need not wait for it: its own record is committed later, and before the stanza leaves.
 */
export class LaneFence {
  readonly #data: SessionData;
  /** Undefined until it was read. */
  #epoch: number | undefined;
  #written = Promise.resolve();

  constructor(data: SessionData) {
    this.#data = data;
  }

  /** @throws Refused CONFLICT for an older epoch, with the newest in its details: nothing has left */
  async pass(epoch: number): Promise<void> {
    if (epoch === this.#epoch) return;
    const [value] = this.#epoch === undefined ? await this.#data.read('lane', [id]) : [];
    this.#epoch ??= value === undefined ? 0 : Number(value.toString());
    if (epoch < this.#epoch)
      throw new Refused('CONFLICT', 'Another replica has taken over the lane of this profile.', {
        ...nothingLeft,
        laneEpoch: this.#epoch,
      });
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#written = this.#data.commit([{ room: 'lane', id, value: Buffer.from(String(epoch)) }]);
    this.#written.catch(() => undefined);
  }

  /** Resolves when older epochs are shut out for good. */
  shut(): Promise<void> {
    return this.#written;
  }
}
