import type { EventMark } from '@messaging-gateway/contracts';
import type { Cache, Clock } from '@messaging-gateway/runtime';

interface Mark extends EventMark {
  readonly at: number;
}

interface Known {
  readonly marks: readonly Mark[];
  /** The entry of the cache as far as this replica knows. */
  readonly cached: string | undefined;
}

const keptMs = 2000;
const keptMarks = 24;
const keptOrganizations = 10_000;
const nothing: Known = { marks: [], cached: undefined };

/**
 * Events that an organization raised in the last two seconds, so that its next requests wait until they were handled.
 * They are in memory, and other replicas get them through the cache: each passes on what it found there. Of two
 * writes at the same moment the last one wins; a mark that is lost there costs freshness for a moment, never truth.
 */
export class RecentMarks {
  readonly #known = new Map<string, Known>();
  readonly #cache: Cache;
  readonly #clock: Clock;

  constructor(cache: Cache, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
  }

  readonly key = (organizationId: string): string => `raised:organization:${organizationId}`;

  async remember(organizationId: string, raised: readonly EventMark[]): Promise<void> {
    const at = this.#clock.now();
    const before = this.#known.get(organizationId) ?? nothing;
    const added = raised.map(({ id, type }) => ({ id, type, at }));
    const marks = [...this.#fresh(before.marks), ...added].slice(-keptMarks);
    const cached = JSON.stringify(marks);
    this.#keep(organizationId, { marks, cached });
    // A cache that is away costs other replicas the freshness, not this one.
    await this.#cache.set(this.key(organizationId), cached, keptMs).catch(() => undefined);
  }

  /** @param cached the value of `key`, read along with the credential */
  recent(organizationId: string, cached: string | undefined): readonly EventMark[] {
    const before = this.#known.get(organizationId) ?? nothing;
    const own = this.#fresh(before.marks);
    const marks = cached === undefined || cached === before.cached ? own : this.#joined(own, cached);
    if (marks.length === 0) this.#known.delete(organizationId);
    else if (marks !== own) this.#keep(organizationId, { marks, cached });
    return marks.map(({ id, type }) => ({ id, type }));
  }

  #joined(own: readonly Mark[], cached: string): readonly Mark[] {
    const ids = new Set(own.map(({ id }) => id));
    const others = this.#fresh(JSON.parse(cached) as Mark[]).filter(({ id }) => !ids.has(id));
    return [...own, ...others].toSorted((one, other) => one.at - other.at).slice(-keptMarks);
  }

  #keep(organizationId: string, known: Known): void {
    if (this.#known.size >= keptOrganizations) this.#known.clear();
    this.#known.set(organizationId, known);
  }

  #fresh(marks: readonly Mark[]): readonly Mark[] {
    const since = this.#clock.now() - keptMs;
    return marks.filter(({ at }) => at >= since);
  }
}
