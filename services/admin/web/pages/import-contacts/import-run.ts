import { ask } from '../../api/client.ts';
import { newId } from '../../api/ids.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { partsOf, type Part } from './parts.ts';

/** `stopping`: the piece under way is the last one. `broken`: it can go on where it stopped. */
type State = 'none' | 'running' | 'stopping' | 'cancelled' | 'broken' | 'done';

export interface Progress {
  readonly state: State;
  /** Share of the file that lies behind, 0 to 1. */
  readonly share: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  readonly errors: AnswerOf<'ImportContactsCsv'>['errors'];
  readonly problem?: Problem;
}

const nothing: Progress = { state: 'none', share: 0, created: 0, updated: 0, failed: 0, errors: [] };
const mostErrors = 1_000;
const mostWaits = 5;

/** A piece that is sent again, with the same Idempotency-Key, so that one whose answer was lost counts once. */
interface Due {
  readonly part: Part;
  readonly key: string;
}

/** One import, piece after piece. It goes on while other pages are shown. */
export class ImportRun {
  readonly #told = new Set<() => void>();
  #progress = nothing;
  #parts: Iterator<Part, void, undefined> | undefined;
  #due: Due | undefined;
  #length = 0;
  #profileId = '';

  get progress(): Progress {
    return this.#progress;
  }

  /** @returns takes it back */
  readonly follow = (told: () => void): (() => void) => {
    this.#told.add(told);
    return () => this.#told.delete(told);
  };

  /** @param profileId empty: the contacts are the whole organization's */
  async start(file: Blob, profileId: string): Promise<void> {
    this.#set({ ...nothing, state: 'running' });
    const text = await file.text();
    this.#parts = partsOf(text);
    this.#length = Math.max(1, text.length);
    this.#profileId = profileId;
    this.#due = undefined;
    await this.#run();
  }

  async resume(): Promise<void> {
    const { problem: _, ...progress } = this.#progress;
    this.#set({ ...progress, state: 'running' });
    await this.#run();
  }

  /** Ends it behind the piece under way, whose result counts; one that broke off ends at once. */
  cancel(): void {
    const { state } = this.#progress;
    if (state === 'running') this.#set({ ...this.#progress, state: 'stopping' });
    if (state === 'broken') this.#set({ ...this.#progress, state: 'cancelled' });
  }

  async #run(): Promise<void> {
    for (;;) {
      if (this.#progress.state !== 'running') return this.#set({ ...this.#progress, state: 'cancelled' });
      const next = this.#due ?? this.#next();
      if (next === undefined) return this.#set({ ...this.#progress, state: 'done', share: 1 });
      this.#due = next;
      try {
        this.#count(next.part, await this.#send(next));
        this.#due = undefined;
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (!problem.unsure) this.#due = { part: next.part, key: newId() };
        return this.#set({ ...this.#progress, state: 'broken', problem });
      }
    }
  }

  #next(): Due | undefined {
    const { value } = this.#parts?.next() ?? {};
    return value ? { part: value, key: newId() } : undefined;
  }

  /** Waits where too much was asked, as long as the answer says. */
  async #send({ part, key }: Due): Promise<AnswerOf<'ImportContactsCsv'>> {
    const body = { csv: part.csv, ...(this.#profileId !== '' && { profileId: this.#profileId }) };
    for (let waits = 0; ; waits += 1) {
      try {
        return await ask('ImportContactsCsv', { body }, { key });
      } catch (problem) {
        if (!(problem instanceof Problem) || problem.status !== 429 || waits >= mostWaits) throw problem;
        const { retryAfter = 1 } = problem;
        await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
      }
    }
  }

  #count({ lineOffset, until }: Part, { created, updated, failed, errors }: AnswerOf<'ImportContactsCsv'>): void {
    const before = this.#progress;
    const mapped = errors.map(({ line, message }) => ({ line: line + lineOffset, message }));
    this.#set({
      ...before,
      share: until / this.#length,
      created: before.created + created,
      updated: before.updated + updated,
      failed: before.failed + failed,
      errors: [...before.errors, ...mapped].slice(0, mostErrors),
    });
  }

  #set(progress: Progress): void {
    this.#progress = progress;
    for (const told of this.#told) told();
  }
}
