import type { ServiceTools } from '@messaging-gateway/service';
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

/**
 * Answerers of a profile, in their order, remembered: a message costs no statement. A change by another replica is
 * learnt within a second; an answerer that is about to answer is asked for its version in the statement that says so.
 */
export class KnownAnswerers {
  readonly #tools: Pick<ServiceTools<unknown>, 'sql'>;
  readonly #kinds: ReadonlyMap<AnswererKind, KindOfAnswerer<never>>;
  readonly #known = new Map<string, Promise<Known>>();
  #lookedAt: Date | undefined;

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

  /** Looks what others have changed. */
  async look(): Promise<void> {
    const since = this.#lookedAt === undefined ? null : new Date(this.#lookedAt.getTime() - slowest);
    const rows = await this.#tools.sql.query<{ organization_id: string | null; now: Date }>(
      `SELECT clock_timestamp() AS now, NULL::uuid AS organization_id
        UNION ALL SELECT DISTINCT NULL::timestamptz, organization_id FROM answerers WHERE changed_at > $1`,
      [since],
    );
    this.#lookedAt = rows[0]?.now ?? this.#lookedAt;
    for (const { organization_id } of rows.slice(1)) if (organization_id !== null) this.forget(organization_id);
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
