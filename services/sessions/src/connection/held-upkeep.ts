import type { HolderTools } from './holder-tools.ts';
import type { Held } from './holder.ts';
import { Reconciling } from './reconciling.ts';
import { findRemainders, type Search, type ToHold } from './wanted-profiles.ts';

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
