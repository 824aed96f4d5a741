import type { EventContract } from '@messaging-gateway/contracts';
import type { JournalEntry, JournalReader } from '@messaging-gateway/event-sourcing';
import { comparePlaces, type EventSource } from '@messaging-gateway/messaging';

interface Told {
  readonly contract: EventContract;
  readonly data: object;
  readonly key?: string;
}

/** The journals of all other services: what a test emits. Nothing of it is stored. */
export class MemoryJournal {
  readonly #entries: JournalEntry[] = [];
  readonly #told = new Map<JournalEntry, Told>();
  readonly #listeners = new Set<() => void>();

  add(told: Told, metadata: JournalEntry['metadata'], at: Date): JournalEntry {
    const number = this.#entries.length + 1;
    const place = { generation: 1, transactionId: BigInt(number), position: BigInt(number) };
    const entry: JournalEntry = {
      place,
      stream: `emitted-${number}`,
      version: 1,
      type: told.contract.type,
      data: { ...told.data },
      metadata,
      at,
    };
    this.#entries.push(entry);
    this.#told.set(entry, told);
    for (const listener of this.#listeners) listener();
    return entry;
  }

  /** @param owns kinds that are told by the service under test itself are not emitted */
  source(owns: (kind: string) => boolean): EventSource {
    return {
      name: 'test',
      schema: 'test',
      owns,
      journal: this.#reader(),
      publish: (entry) => [this.#told.get(entry) as Told],
    };
  }

  #reader(): JournalReader {
    return {
      after: async (place, limit) =>
        this.#entries.filter((entry) => comparePlaces(entry.place, place) > 0).slice(0, limit),
      count: async (place, upTo) => {
        const counted = this.#entries.filter(
          (entry) => comparePlaces(entry.place, place) > 0 && comparePlaces(entry.place, upTo) <= 0,
        );
        return { count: counted.length, last: counted.at(-1)?.place };
      },
      isQuiet: async () => true,
      onNewLine: () => () => undefined,
      end: async () => this.#entries.at(-1)?.place,
      onNews: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }
}
