import type { JournalReader } from '@messaging-gateway/event-sourcing';

/** Waits for something to read in a journal. */
export class News {
  readonly #stopListening: () => void;
  #rung = true;
  #wake: (() => void) | undefined;

  constructor(journal: Pick<JournalReader, 'onNews'>) {
    this.#stopListening = journal.onNews(() => this.ring());
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Notes that what has come up to now is about to be read. */
  read(): void {
    this.#rung = false;
  }

  /** Resolves when something has come since the last `read`. */
  async come(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = undefined;
  }

  /** Ends all waiting. */
  stop(): void {
    this.#stopListening();
    this.ring();
  }
}
