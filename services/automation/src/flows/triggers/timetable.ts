import { wallInstant } from '@messaging-gateway/runtime';
import { Cron } from 'croner';
import { instantAt } from './zone-time.ts';

/** Fault of a cron that has not five fields. */
const form = 'must have five fields (minute, hour, day, month, weekday), such as 0 9 * * 1-5';

/**
 * When a cron of five fields fires by the clocks of a zone. What would fire while summer time takes an hour away fires at the end of
 * that hour, once; what would fire twice, as an hour comes again, fires the first time, but for what fires in every hour.
 */
export class Timetable {
  readonly #inZone: Cron;
  /** The cron by the hands of a clock that is never changed. */
  readonly #byHands: Cron;
  readonly #zone: string;

  /** @throws Error saying what is wrong with the cron */
  constructor(cron: string, zone: string) {
    // Nicknames are taken by the library in every mode.
    if (cron.trim().startsWith('@')) throw new Error(form);
    try {
      this.#inZone = new Cron(cron, { timezone: zone, mode: '5-part', paused: true });
      this.#byHands = new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true });
    } catch {
      throw new Error(form);
    }
    this.#zone = zone;
  }

  /** @param after milliseconds since 1970 @returns undefined: it never fires again */
  next(after: number): number | undefined {
    const usual = this.#inZone.nextRun(new Date(after))?.getTime();
    // The library leaves out what falls into the hour that is taken away, where the cron names hours by a pattern.
    const hands = this.#byHands.nextRun(new Date(wallInstant(this.#zone, after)))?.getTime();
    const taken = hands === undefined ? undefined : instantAt(this.#zone, hands);
    return taken !== undefined && taken > after && (usual === undefined || taken < usual) ? taken : usual;
  }

  /** The last firing of some time: later than `after`, at `until` at the latest. @returns undefined: there is none */
  last(after: number, until: number): number | undefined {
    let found: number | undefined;
    for (let at = this.next(after); at !== undefined && at <= until; at = this.next(at)) found = at;
    return found;
  }
}
