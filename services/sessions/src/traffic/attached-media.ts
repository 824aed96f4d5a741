import { mediaKey, mediaLimits, namedUuids } from '@messaging-gateway/contracts';
import type { MediaStore, StoredMedia } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { setTimeout as sleep } from 'node:timers/promises';
import { MediaGone, type Attachment, type Engine, type Fact, type FactKeeper } from '../engine/engine.ts';
import type { Slots } from '../engine/slots.ts';
import type { Change, SessionData, Stored } from '../session-data/session-data-store.ts';

export type AttachedFact = Extract<Fact, { kind: 'message' }> & { readonly attachment: Attachment };

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

/** Downloads of one profile at the same time, and entries looked at. */
const atOnce = 3;
const inMemory = 50;
/** No media are larger than those of documents, whatever they are. */
const limit = mediaLimits.document;
/** One attempt takes so long at most; and the waits between them, milliseconds. */
const attemptMs = 120_000;
const waitsMs = [1_000, 4_000, 15_000, 30_000];
/** Messages that have waited so long get one attempt more. */
const lateMs = 120_000;
const uuidOf = namedUuids('2b7b4f3e-6c0f-5d5e-9a55-6f0c1f3c8c11');

/**
 * Messages whose media are still to be fetched. They wait beside the session data, where the network's receipt finds
 * them on the disk, and become facts when the media are in the store, or cannot be had: then without a key. What a
 * killed process had begun is begun again, under the same key.
 */
export class AttachedMedia {
  readonly #parts: AttachedMediaParts;
  readonly #stopping = new AbortController();
  #lastId = 0;
  #isMore = true;
  #running: Promise<void> | undefined;

  constructor(parts: AttachedMediaParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#wake();
  }

  /** Gives up what is under way; it is begun again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  keep(facts: readonly AttachedFact[]): { readonly changes: readonly Change[]; kept(): void } {
    return {
      changes: facts.map((fact) => ({ room: 'media', id: this.#nextId(), value: Buffer.from(JSON.stringify(fact)) })),
      kept: () => {
        if (facts.length > 0) this.#wake();
      },
    };
  }

  /** Rises with time, also over restarts. */
  #nextId(): string {
    this.#lastId = Math.max(this.#lastId + 1, this.#parts.clock.now() * 1000);
    return String(this.#lastId).padStart(17, '0');
  }

  #wake(): void {
    this.#isMore = true;
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isMore) this.#wake();
    });
  }

  /** Each worker takes the next entry as soon as it is done with one: a slow download holds up no other. */
  async #run(): Promise<void> {
    const taken = new Set<string>();
    let entries: Stored[] = [];
    let looking: Promise<void> | undefined;
    const look = async (): Promise<void> => {
      this.#isMore = false;
      const found = await this.#parts.data.scan('media', '', inMemory + taken.size);
      this.#lastId = Math.max(this.#lastId, Number(found.at(-1)?.id ?? 0));
      entries = found.filter(({ id }) => !taken.has(id));
    };
    const worker = async (): Promise<void> => {
      while (!this.#stopping.signal.aborted) {
        if (entries.length === 0) await (looking ??= look().finally(() => (looking = undefined)));
        const entry = entries.shift();
        if (entry === undefined) return;
        taken.add(entry.id);
        await this.#tell(entry).finally(() => taken.delete(entry.id));
      }
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, worker));
    } catch (error) {
      this.#parts.log.warn('Messages with media wait for the session data', this.#fieldsOf(error));
      this.#isMore = true;
      await sleep(1_000, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  async #tell({ id, value }: Stored): Promise<void> {
    const { attachment, ...fact } = JSON.parse(value.toString()) as AttachedFact;
    const stored = await this.#fetched(id, attachment, fact);
    if (stored === undefined && this.#stopping.signal.aborted) return;
    const { facts, data } = this.#parts;
    const { changes, kept } = facts.keep([stored === undefined ? fact : withMedia(fact, stored)]);
    await data.commit([...changes, { room: 'media', id, value: undefined }]);
    kept();
  }

  /** Undefined when they cannot be had, or the profile is left. */
  async #fetched(
    id: string,
    attachment: Attachment,
    { data }: Omit<AttachedFact, 'attachment'>,
  ): Promise<StoredMedia | undefined> {
    const { signal } = this.#stopping;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        return await this.#parts.slots.run(() => this.#fetch(id, attachment, data));
      } catch (error) {
        if (signal.aborted) return undefined;
        const wait = isFinal(error) || this.#isLate(id) ? undefined : waitsMs[attempt];
        if (wait === undefined) {
          this.#parts.log.warn('Media of a message could not be fetched', this.#fieldsOf(error));
          return undefined;
        }
        await sleep(wait, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async #fetch(id: string, attachment: Attachment, { content }: AttachedFact['data']): Promise<StoredMedia> {
    const { organizationId, engine, media, data } = this.#parts;
    if (attachment.size > limit) throw new MediaGone('The media are larger than any that are taken.');
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(attemptMs)]);
    const { mimetype, filename } = 'media' in content.content ? content.content.media : {};
    const key = mediaKey({ organizationId, profileId: data.profileId }, uuidOf(`${data.profileId} ${id}`));
    const stored = await media.put(key, await engine.download(attachment, signal), { mimetype, filename, limit });
    if (attachment.sha256 === undefined || attachment.sha256 === stored.sha256) return stored;
    await media.delete(key);
    throw new MediaGone('The media are not those that were sent.');
  }

  #isLate(id: string): boolean {
    return Number(id) / 1000 < this.#parts.clock.now() - lateMs;
  }

  #fieldsOf(error: unknown): { profileId: string; reason: string } {
    return { profileId: this.#parts.data.profileId, reason: (error as Error).message };
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof MediaGone || (error instanceof Refused && error.code === 'PAYLOAD_TOO_LARGE');

function withMedia(fact: Omit<AttachedFact, 'attachment'>, { key, size, mimetype }: StoredMedia): Fact {
  const { content } = fact.data;
  if (!('media' in content.content)) return fact;
  const media = { ...content.content.media, key, size, mimetype };
  return {
    ...fact,
    data: { ...fact.data, content: { ...content, content: { ...content.content, media } } as typeof content },
  };
}
