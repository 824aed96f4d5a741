import type { Cache, Logger } from '@messaging-gateway/runtime';
import type { Closing } from '../engine/engine.ts';

/** A profile that does not come back tries at least every few minutes, and says again why not. */
const rememberedMs = 3_600_000;

/** Faults that keep profiles from the network at this moment: a word each, such as ECONNREFUSED, shared by all replicas. */
export class ConnectionFaults {
  readonly #cache: Cache;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  async note(profileId: string, fault: string): Promise<void> {
    await this.#cache.set(keyOf(profileId), fault, rememberedMs);
  }

  async forget(profileId: string): Promise<void> {
    await this.#cache.delete(keyOf(profileId));
  }

  /** Undefined also while the cache is away: nobody waits for it. */
  current(profileId: string): Promise<string | undefined> {
    return this.#cache.get(keyOf(profileId)).catch(() => undefined);
  }
}

const keyOf = (profileId: string): string => `connection-fault:${profileId}`;

export interface ConnectionReportParts {
  readonly organizationId: string;
  readonly profileId: string;
  readonly faults: ConnectionFaults;
  readonly log: Logger;
}

/** Says in the log what an operator looks for of one connection: that it is there, and why it is not, once for each reason. */
export class ConnectionReport {
  readonly #parts: ConnectionReportParts;
  #said: string | undefined;

  constructor(parts: ConnectionReportParts) {
    this.#parts = parts;
  }

  opened(): void {
    const { organizationId, profileId, faults, log } = this.#parts;
    this.#said = undefined;
    log.info('A profile is connected', { organizationId, profileId });
    faults.forget(profileId).catch(() => undefined);
  }

  ended({ cause, detail, fault }: Closing): void {
    const { organizationId, profileId, faults, log } = this.#parts;
    if (fault !== undefined) faults.note(profileId, fault).catch(() => undefined);
    const reason = `${cause} ${fault ?? detail}`;
    // After a scan the network asks for another login: that is no news. While it is away every try ends the same way.
    const isNews = cause !== 'restart' && reason !== this.#said;
    this.#said = reason;
    log[isNews ? 'info' : 'debug']('A connection ended', {
      organizationId,
      profileId,
      cause,
      ...(fault !== undefined && { reason: fault }),
      detail,
    });
  }
}
