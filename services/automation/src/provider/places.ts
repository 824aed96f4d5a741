import { Slots } from '@messaging-gateway/runtime';
import { noPlace } from './refusals.ts';

/** Calls at the same time, of a process and of one organization. */
const places = 256;
const placesOfOne = 16;
/** So many more of one organization wait for a place. */
const waitingOfOne = 100;

/** So many calls at once, and of one organization: who has a slow provider waits in an own queue, which ends. */
export class Places {
  readonly #slots = new Slots(places, placesOfOne);
  readonly #here = new Map<string, number>();

  /** @throws Refused SERVICE_UNAVAILABLE when there is no place, until `signal` at the latest */
  async run<Result>(organizationId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const before = this.#here.get(organizationId) ?? 0;
    if (before >= placesOfOne + waitingOfOne) throw noPlace();
    this.#here.set(organizationId, before + 1);
    let hasBegun = false;
    try {
      const begun = (): Promise<Result> => {
        hasBegun = true;
        return work();
      };
      return await this.#slots.run(begun, { of: organizationId, signal });
    } catch (error) {
      throw hasBegun ? error : noPlace();
    } finally {
      const left = (this.#here.get(organizationId) ?? 1) - 1;
      if (left === 0) this.#here.delete(organizationId);
      else this.#here.set(organizationId, left);
    }
  }
}
