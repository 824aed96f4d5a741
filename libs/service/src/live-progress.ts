import { TellLive, type BodyOf, type LiveOnlyKind } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import { v5 } from 'uuid';
import { every, type PeriodicJob } from './jobs.ts';
import type { ServiceTools } from './module.ts';

type Data = Readonly<Record<string, unknown>>;

/** A broadcast, a batch or an import under way. */
export interface GoingOn {
  readonly id: string;
  readonly organizationId: string;
  readonly profileId?: string | undefined;
  /** How far it has come, where that is known without reading it. */
  readonly figures?: Data;
}

type Told = BodyOf<typeof TellLive>['events'][number];

export interface LiveProgressParts {
  readonly kind: LiveOnlyKind;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly clock: Clock;
  /** How far things have come, by their ids; nothing is told of those that it leaves out. Absent: each brings its figures. */
  readonly read?: (ids: readonly string[]) => Promise<ReadonlyMap<string, Data>>;
}

/** Things in one message, and things that are remembered while nobody takes them, at most. */
const atOnce = 500;
const mostRemembered = 5_000;
const secondMs = 1_000;
const names = '6ad7c1f5-4c1b-5f0e-9d1e-3c1c7f0b2a55';

/**
 * Tells those who look on how far things have come, each at most once a second, all that have moved together. What cannot be told is
 * told with what comes next: the last figures count, not those in between.
 */
export class LiveProgress {
  readonly #parts: LiveProgressParts;
  readonly #moved = new Map<string, GoingOn>();
  readonly job: PeriodicJob;

  constructor(parts: LiveProgressParts) {
    this.#parts = parts;
    this.job = every('1s', `telling ${parts.kind}`, () => this.#tell());
  }

  /** Notes that a thing has come further. Costs nothing now. */
  moved(thing: GoingOn): void {
    if (this.#moved.size < mostRemembered || this.#moved.has(thing.id)) this.#moved.set(thing.id, thing);
  }

  async #tell(): Promise<void> {
    if (this.#moved.size === 0) return;
    const things = [...this.#moved.values()].slice(0, atOnce);
    for (const { id } of things) this.#moved.delete(id);
    try {
      const figures = await this.#parts.read?.(things.map(({ id }) => id));
      const events = things.flatMap((thing) => this.#event(thing, figures?.get(thing.id) ?? thing.figures));
      if (events.length > 0) await this.#parts.ask(TellLive, { events });
    } catch (error) {
      for (const thing of things) if (!this.#moved.has(thing.id)) this.moved(thing);
      throw error;
    }
  }

  /** The event of a thing; its id is the same in the same second, whichever replica tells it. */
  #event({ id, organizationId, profileId }: GoingOn, data: Data | undefined): Told[] {
    if (data === undefined) return [];
    const { kind, clock } = this.#parts;
    const at = new Date(Math.floor(clock.now() / secondMs) * secondMs).toISOString();
    const eventId = v5(`${kind} ${id} ${at}`, names);
    return [
      { id: eventId, organizationId, kind, at, ...(profileId !== undefined && { profileId }), data: { id, ...data } },
    ];
  }
}
