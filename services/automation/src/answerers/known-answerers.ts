import { Batcher, type ServiceTools } from '@messaging-gateway/service';
import { answererKinds, type AnswererKind } from './answerer.ts';
import { answerersOf, definitionOf } from './answerer-records.ts';
import type { AnswererRecord } from './answerers-view.ts';
import type { Compiled, KindOfAnswerer } from './compiled.ts';

export interface KnownAnswerer {
  readonly row: AnswererRecord;
  readonly compiled: Compiled;
}

interface Known {
  readonly answerers: readonly KnownAnswerer[];
}

/** Profiles that are remembered, at most. */
const most = 20_000;
/** Statements that began earlier than this have ended, or will fail, milliseconds. */
const slowest = 10_000;
/** From one look at what others have changed to the next, at least, milliseconds. */
const restMs = 50;
/** Messages that wait for the same look, at most. */
const together = 10_000;

/**
 * Answerers of a profile, in their order, remembered: messages cost a statement for all that come meanwhile, which looks what
 * other replicas have changed. An answerer that is about to answer is asked for its version in the statement that says so.
 */
export class KnownAnswerers {
  readonly #tools: Pick<ServiceTools<unknown>, 'sql'>;
  readonly #kinds: ReadonlyMap<AnswererKind, KindOfAnswerer<never>>;
  readonly #known = new Map<string, Promise<Known>>();
  readonly #looks = new Batcher<void, void>(
    async (waiting) => {
      await this.#look();
      return waiting.map(() => undefined);
    },
    together,
    restMs,
  );
  #lookedAt: Date | undefined;
  /** Late changes that the last look has seen: versions of answerers. */
  #seen: ReadonlySet<string> = new Set();

  constructor(tools: Pick<ServiceTools<unknown>, 'sql'>, kinds: readonly KindOfAnswerer<never>[]) {
    this.#tools = tools;
    this.#kinds = new Map(kinds.map((one) => [one.kind, one]));
  }

  async of(organizationId: string, profileId: string): Promise<readonly KnownAnswerer[]> {
    const key = `${organizationId} ${profileId}`;
    const known = this.#known.get(key);
    if (known !== undefined) return (await known).answerers;
    const reading = this.#read(organizationId, profileId);
    this.#known.set(key, reading);
    reading.catch(() => this.#known.delete(key));
    const [oldest] = this.#known.keys();
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
    return (await reading).answerers;
  }

  /** Forgets the answerers of an organization, of which one was changed. */
  forget(organizationId: string): void {
    for (const key of this.#known.keys()) if (key.startsWith(organizationId)) this.#known.delete(key);
  }

  /** Resolves when what others have changed before this call is not remembered as it was. @throws what the database does */
  upToDate(): Promise<void> {
    return this.#looks.add();
  }

  async #look(): Promise<void> {
    const since = this.#lookedAt === undefined ? null : new Date(this.#lookedAt.getTime() - slowest);
    const rows = await this.#tools.sql.query<{ now: Date } | { now: null; of: string; version: string }>(
      `SELECT clock_timestamp() AS now, NULL::uuid AS of, NULL AS version
        UNION ALL SELECT NULL, organization_id, concat(id, ' ', version) FROM answerers WHERE changed_at > $1`,
      [since],
    );
    const changed = rows.filter((row) => row.now === null);
    for (const of of new Set(changed.flatMap(({ of, version }) => (this.#seen.has(version) ? [] : [of]))))
      this.forget(of);
    this.#seen = new Set(changed.map(({ version }) => version));
    this.#lookedAt = rows.find((row) => row.now !== null)?.now ?? this.#lookedAt;
  }

  async #read(organizationId: string, profileId: string): Promise<Known> {
    const rows = await answerersOf(this.#tools.sql, organizationId, profileId);
    const answerers = rows
      .flatMap((row) => {
        const compiled = this.#kinds.get(row.kind)?.compile(definitionOf(row) as never);
        return compiled === undefined ? [] : [{ row, compiled }];
      })
      .toSorted((one, other) => answererKinds.indexOf(one.row.kind) - answererKinds.indexOf(other.row.kind));
    return { answerers };
  }
}
