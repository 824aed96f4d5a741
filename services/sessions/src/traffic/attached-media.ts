import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaStore, StoredMedia } from '@messaging-gateway/media';
import type { Clock, Logger, Slots } from '@messaging-gateway/runtime';
import { bounded } from '@messaging-gateway/contracts';
import type { Engine, Fact, FactKeeper, Keeping } from '../engine/engine.ts';
import type { Change, SessionData } from '../session-data/session-data-store.ts';
import { ChatLines, chatNamesOf, type InLine, type Line } from './chat-lines.ts';
import { FactIds, timeOf } from './fact-ids.ts';
import { type AttachedFact, MediaFetcher } from './media-fetcher.ts';

export interface AttachedMediaParts {
  readonly organizationId: string;
  readonly data: SessionData;
  readonly engine: Pick<Engine, 'download'>;
  readonly media: MediaStore;
  /** Downloads of all profiles together. */
  readonly slots: Slots;
  readonly facts: FactKeeper;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A message that waits for its media holds up what comes after it in its chat for so long, milliseconds. */
const holdMs = 20_000;
/** Entries read, and told, together. */
const atOnce = 100;
/** After a failure of the session data. */
const againMs = 1_000;

/**
 * Messages whose media are still to be fetched, and what came after them in the same chat. They wait beside the session
 * data, where the network's receipt finds them on the disk, and become facts in the order of their chat when the media
 * are in the store, or cannot be had: then without a key. Media that take longer hold up their chat no more: their
 * message is told when they are there.
 *
 * @see docs/decisions/0530-order-of-a-chat.md
 */
export class AttachedMedia {
  readonly #parts: AttachedMediaParts;
  readonly #ids: FactIds;
  readonly #fetcher: MediaFetcher;
  readonly #lines = new ChatLines();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #advancing = new Set<Line>();

  private constructor(parts: AttachedMediaParts, ids: FactIds) {
    this.#parts = parts;
    this.#ids = ids;
    const { data, ...others } = parts;
    this.#fetcher = new MediaFetcher({ ...others, profileId: data.profileId, signal: this.#stopping.signal });
  }

  /** Finds what waits on the disk. @throws SessionDataUnavailable */
  static async over(parts: AttachedMediaParts): Promise<AttachedMedia> {
    const { data, clock } = parts;
    const media = new AttachedMedia(parts, await FactIds.behind(data, 'media', clock));
    for (let after: string | undefined = ''; after !== undefined;) {
      const found = await data.scan('media', after, atOnce);
      for (const { id, value } of found) media.#enter(id, JSON.parse(value.toString()) as Fact);
      after = found.length < atOnce ? undefined : found.at(-1)?.id;
    }
    return media;
  }

  start(): void {
    for (const line of this.#lines.lines()) {
      for (const place of line.places) this.#begin(place);
      this.#advance(line);
    }
  }

  /** Gives up what is under way; it is begun again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The profile is left.'));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Whether a fact has to wait: for media of its own, or for what came before it in its chat. Asked at its commit. */
  holds(fact: Fact): boolean {
    return isAttached(fact) || this.#lines.has(chatNamesOf(fact));
  }

  keep(facts: readonly Fact[]): Keeping {
    let places: readonly InLine[] = [];
    return {
      changes: () => {
        const entries = facts.map((fact) => ({ id: this.#ids.next(), fact }));
        places = entries.map(({ id, fact }) => this.#enter(id, fact));
        return entries.map(({ id, fact }) => ({ table: 'media', id, value: Buffer.from(JSON.stringify(fact)) }));
      },
      kept: () => {
        for (const place of places) this.#begin(place);
        for (const { line } of places) if (line !== undefined) this.#advance(line);
      },
    };
  }

  #enter(id: string, fact: Fact): InLine {
    return this.#lines.add(id, chatNamesOf(fact), !isAttached(fact));
  }

  #begin(place: InLine): void {
    if (place.isReady || this.#stopping.signal.aborted) return;
    this.#do(async () => {
      const { clock } = this.#parts;
      const cancel = clock.at(clock.now() + holdMs, () => this.#overtaken(place));
      const stored = await this.#fetcher.fetched(place.id, () => this.#attached(place.id)).finally(cancel);
      if (stored === undefined && this.#stopping.signal.aborted) return;
      place.stored = stored;
      place.isReady = true;
      if (place.line === undefined) await this.#told([place]);
      else this.#advance(place.line);
    });
  }

  #overtaken(place: InLine): void {
    const { line } = place;
    this.#lines.remove(place);
    if (line !== undefined) this.#advance(line);
  }

  /** Tells what stands at the front of a line, for as long as it may be told. */
  #advance(line: Line): void {
    if (this.#advancing.has(line)) return;
    this.#advancing.add(line);
    this.#do(async () => {
      const ready = (): readonly InLine[] => this.#lines.ready(line, atOnce);
      for (let front = ready(); front.length > 0 && !this.#stopping.signal.aborted; front = ready())
        await this.#told(front);
      this.#advancing.delete(line);
    });
  }

  async #told(places: readonly InLine[]): Promise<void> {
    await this.#whileKept(() => this.#tell(places));
  }

  /** Again and again while the session data fails. @returns undefined when the profile is left meanwhile */
  async #whileKept<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const { log, data } = this.#parts;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        const { message: reason } = error as Error;
        log.warn('Messages with media wait for the session data', { profileId: data.profileId, reason });
        await sleep(againMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async #tell(places: readonly InLine[]): Promise<void> {
    const { facts, data } = this.#parts;
    const ids = places.map(({ id }) => id);
    const values = await data.read('media', ids);
    const entries = values.map((value) => (value === undefined ? undefined : (JSON.parse(value.toString()) as Fact)));
    const told = entries.flatMap((fact, index) => {
      const { id, stored } = places[index] as InLine;
      return fact === undefined ? [] : [asTold(fact, timeOf(id), stored)];
    });
    const keeping = facts.keep(told);
    const written = data.commit([
      ...keeping.changes(),
      ...ids.map((id): Change => ({ table: 'media', id, value: undefined })),
    ]);
    // Their place is fixed: what comes from here on stands behind them in any case.
    for (const place of places) this.#lines.remove(place);
    await written;
    keeping.kept();
  }

  async #attached(id: string): Promise<AttachedFact | undefined> {
    const [value] = (await this.#whileKept(() => this.#parts.data.read('media', [id]))) ?? [];
    return value === undefined ? undefined : (JSON.parse(value.toString()) as AttachedFact);
  }

  #do(work: () => Promise<void>): void {
    const running = work().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

const isAttached = (fact: Fact): fact is AttachedFact => fact.kind === 'message' && fact.attachment !== undefined;

function asTold(fact: Fact, arrivedAt: number, stored: StoredMedia | undefined): Fact {
  if (!isAttached(fact)) return fact.kind === 'message' ? { ...fact, arrivedAt } : fact;
  const { attachment: _, ...kept } = fact;
  const told = { ...kept, arrivedAt };
  const { content } = told.data;
  if (stored === undefined || !('media' in content.content)) return told;
  const { key, size, mimetype } = stored;
  const media = { ...content.content.media, key, size, mimetype };
  return {
    ...told,
    data: { ...told.data, content: { ...content, content: { ...content.content, media } } as typeof content },
  };
}

/**
 * Keeps facts. What strangers have chosen is bounded, so that every store and broker takes it. Facts go to the journal;
 * those with media once these have been fetched, and so does what follows them in their chat.
 */
export function factsKept(recorder: FactKeeper, media: Pick<AttachedMedia, 'holds' | 'keep'>): FactKeeper {
  return {
    keep: (facts) => {
      const keepings: Keeping[] = [];
      return {
        changes: () =>
          facts.flatMap((told) => {
            const fact = bounded(told);
            const keeping = (media.holds(fact) ? media : recorder).keep([fact]);
            keepings.push(keeping);
            return keeping.changes();
          }),
        kept: () => {
          for (const keeping of keepings) keeping.kept();
        },
      };
    },
  };
}
