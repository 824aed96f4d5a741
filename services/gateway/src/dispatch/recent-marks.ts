import type { EventMark } from '@messaging-gateway/contracts';
import type { Cache, Clock } from '@messaging-gateway/runtime';

interface Mark extends EventMark {
  readonly at: number;
}

const keptMs = 2000;
const keptMarks = 24;
const keptOrganizations = 10_000;

/**
 * Events that an organization raised in the last two seconds, so that its next reads wait until they were handled.
 * This replica's own are in memory; those of others come through the cache, where the last writer wins: a mark that
 * is lost there costs freshness for a moment, never truth.
 */
export class RecentMarks {
  readonly #own = new Map<string, Mark[]>();
  readonly #cache: Cache;
  readonly #clock: Clock;

  constructor(cache: Cache, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
  }

  readonly key = (organizationId: string): string => `raised:organization:${organizationId}`;

  async remember(organizationId: string, raised: readonly EventMark[]): Promise<void> {
    const at = this.#clock.now();
    const marks = [
      ...this.#fresh(this.#own.get(organizationId) ?? []),
      ...raised.map(({ id, type }) => ({ id, type, at })),
    ].slice(-keptMarks);
    if (this.#own.size >= keptOrganizations) this.#own.clear();
    this.#own.set(organizationId, marks);
    // A cache that is away costs other replicas the freshness, not this one.
    await this.#cache.set(this.key(organizationId), JSON.stringify(marks), keptMs).catch(() => undefined);
  }

  /** @param cached the value of `key`, read along with the credential */
  recent(organizationId: string, cached: string | undefined): readonly EventMark[] {
    const own = this.#fresh(this.#own.get(organizationId) ?? []);
    if (own.length === 0) this.#own.delete(organizationId);
    const others = cached === undefined ? [] : this.#fresh(JSON.parse(cached) as Mark[]);
    const known = new Set(own.map(({ id }) => id));
    return [...own, ...others.filter(({ id }) => !known.has(id))].map(({ id, type }) => ({ id, type }));
  }

  #fresh(marks: readonly Mark[]): readonly Mark[] {
    const since = this.#clock.now() - keptMs;
    return marks.filter(({ at }) => at >= since);
  }
}
