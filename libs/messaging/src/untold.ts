import type { ReadEntry } from '@messaging-gateway/event-sourcing';
import type { Logger } from '@messaging-gateway/runtime';
import { keepDeadLetter } from './dead-letters.ts';
import type { EventSource } from './events.ts';

/** An entry, or one of its facts, is told to nobody. */
export type OnUntold = (entry: ReadEntry, reason: string) => void;

/**
 * Keeps what cannot be told: an entry that is damaged, that its service fails to map, or that is too large for a broker. It
 * holds up nothing; its name, place and reason lie among the dead letters of its own service, without what it says.
 */
export class Untold {
  readonly #source: EventSource;
  readonly #log: Logger;
  readonly #keeping = new Set<Promise<void>>();

  constructor(source: EventSource, log: Logger) {
    this.#source = source;
    this.#log = log;
  }

  /** Resolves when all that was noted is kept. @throws what the database does */
  async kept(): Promise<void> {
    await Promise.all(this.#keeping);
  }

  readonly note: OnUntold = (entry, reason) => {
    const keeping = this.#keep(entry, reason);
    this.#keeping.add(keeping);
    // Whoever waits for it hears of a failure; whoever does not, finds it in the log.
    keeping.catch(() => undefined).finally(() => this.#keeping.delete(keeping));
  };

  async #keep(entry: ReadEntry, reason: string): Promise<void> {
    const { name, schema, pool, onUntold } = this.#source;
    const { stream, version, type, at } = entry;
    const organizationId = entry.unreadable === undefined ? entry.metadata.organizationId : entry.organizationId;
    this.#log.error('Entry told to nobody', { schema, stream, version, type, reason });
    onUntold?.(type);
    if (pool === undefined) return;
    const envelope = { stream, version, type, at: at.toISOString() };
    const letter = { consumer: name, name: `untold ${type}`, id: `${stream} ${version}`, key: stream };
    try {
      await keepDeadLetter({ pool, schema }, { ...letter, organizationId, reason, envelope });
    } catch (error) {
      this.#log.warn('Dead letter not kept yet', { schema, stream, version, type, reason: String(error) });
      throw error;
    }
  }
}
