import type { ServiceTools } from '@messaging-gateway/service';
import type { Held, HolderTools } from './held-profile.ts';
import { findRemainders, type Search, type ToHold } from './wanted-profiles.ts';
import type { ConnectionStatus } from '../profiles/profile.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

export interface UpkeepParts {
  readonly with: Pick<HolderTools, 'tools' | 'sessions'>;
  /** Those that may be acted on now. */
  readonly held: () => readonly Held[];
  /** What could be taken now; undefined when nothing may be. */
  readonly search: () => Search | undefined;
  readonly take: (profile: ToHold) => Promise<Held | undefined>;
}

/**
 * What is done now and then: each minute profiles held are compared with their rows, and those are taken up that are
 * down and left facts behind; each hour what is too old is forgotten.
 */
export class HeldUpkeep {
  readonly #parts: UpkeepParts;
  readonly #reconciling: Reconciling;
  #timers: NodeJS.Timeout[] = [];

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#reconciling = new Reconciling(parts.with.tools);
  }

  start(): void {
    this.#timers = [
      setInterval(() => void this.#compare(), minuteMs).unref(),
      setInterval(() => void this.#takeRemainders(), minuteMs).unref(),
      setInterval(() => void this.#sweep(), hourMs).unref(),
    ];
    void this.#takeRemainders();
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #compare(): Promise<void> {
    const { with: service, held } = this.#parts;
    await this.#reconciling.compare(held()).catch(({ message: reason }: Error) => {
      service.tools.log.warn('Profiles could not be compared with their rows', { reason });
    });
  }

  async #takeRemainders(): Promise<void> {
    const { with: service, search, take } = this.#parts;
    const sought = search();
    if (sought === undefined) return;
    try {
      for (const profile of await findRemainders(service.tools.sql, service.sessions, sought))
        (await take(profile))?.remain();
    } catch (error) {
      const { message: reason } = error as Error;
      service.tools.log.warn('Facts of profiles that are down could not be taken up', { reason });
    }
  }

  async #sweep(): Promise<void> {
    for (const { connection } of this.#parts.held()) await connection.sweep().catch(() => undefined);
  }
}

interface Row {
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly is_wanted: boolean;
}

/**
 * Compares the profiles held with their rows: what people want is as the rows say, where a connection stands is as it
 * is here. Both agree unless something was lost between them.
 */
export class Reconciling {
  readonly #tools: Pick<ServiceTools<unknown>, 'sql' | 'log'>;
  /** Those that were wanted here or there alone when they were last compared: a request may have been on its way. */
  #differing = new Set<string>();

  constructor(tools: Pick<ServiceTools<unknown>, 'sql' | 'log'>) {
    this.#tools = tools;
  }

  async compare(held: readonly Held[]): Promise<void> {
    const { sql, log } = this.#tools;
    const byId = new Map(held.map((one) => [one.lease.profileId, one]));
    if (byId.size === 0) return;
    const rows = await sql.query<Row>('select id, status, is_wanted from profiles where id = any($1::uuid[])', [
      [...byId.keys()],
    ]);
    const differed = this.#differing;
    this.#differing = new Set();
    for (const { id, status, is_wanted: isWanted } of rows) {
      const { connection, isLeft } = byId.get(id) as Held;
      if (isLeft || connection.isWanted === undefined) continue;
      if (connection.isWanted === isWanted) connection.tellAgain(status);
      else if (!differed.has(id)) this.#differing.add(id);
      else {
        log.warn('A profile is not as it is wanted', { profileId: id, isWanted });
        await (isWanted ? connection.connect('resumed') : connection.disconnect());
      }
    }
  }
}
