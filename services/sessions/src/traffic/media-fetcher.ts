import { mediaKey, mediaLimits, namedUuids } from '@messaging-gateway/contracts';
import type { MediaStore, StoredMedia } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { type Clock, type Logger, Slots } from '@messaging-gateway/runtime';
import { setTimeout as sleep } from 'node:timers/promises';
import { MediaGone, type Attachment, type Engine, type Fact } from '../engine/engine.ts';
import { timeOf } from './fact-ids.ts';

export type AttachedFact = Extract<Fact, { kind: 'message' }> & { readonly attachment: Attachment };

export interface MediaFetcherParts {
  readonly organizationId: string;
  readonly profileId: string;
  readonly engine: Pick<Engine, 'download'>;
  readonly media: MediaStore;
  /** Downloads of all profiles together. */
  readonly slots: Slots;
  readonly clock: Clock;
  readonly log: Logger;
  /** Gives up what is under way. */
  readonly signal: AbortSignal;
}

/** Downloads of one profile at the same time. */
const atOnce = 3;
/** No media are larger than those of documents, whatever they are. */
const limit = mediaLimits.document;
/** One attempt takes so long at most; and the waits between them, milliseconds. */
const attemptMs = 120_000;
const waitsMs = [1_000, 4_000, 15_000, 30_000];
/** Messages that have waited so long get one attempt more. */
const lateMs = 120_000;
const uuidOf = namedUuids('2b7b4f3e-6c0f-5d5e-9a55-6f0c1f3c8c11');

/** Brings the media of a profile's messages into the store. What a killed process had begun is begun again, under the same key. */
export class MediaFetcher {
  readonly #parts: MediaFetcherParts;
  readonly #own = new Slots(atOnce);

  constructor(parts: MediaFetcherParts) {
    this.#parts = parts;
  }

  /**
   * @param id of the message's entry
   * @param read the entry, once it is its turn
   * @returns undefined when they cannot be had, or the profile is left
   */
  async fetched(id: string, read: () => Promise<AttachedFact | undefined>): Promise<StoredMedia | undefined> {
    const { signal, slots, profileId, log } = this.#parts;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        return await this.#own.run(
          () => slots.run(async () => this.#fetch(id, await read()), { of: profileId, signal }),
          { signal },
        );
      } catch (error) {
        if (signal.aborted) return undefined;
        const wait = isFinal(error) || this.#isLate(id) ? undefined : waitsMs[attempt];
        if (wait === undefined) {
          log.warn('Media of a message could not be fetched', { profileId, reason: (error as Error).message });
          return undefined;
        }
        await sleep(wait, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async #fetch(id: string, fact: AttachedFact | undefined): Promise<StoredMedia | undefined> {
    this.#parts.signal.throwIfAborted();
    if (fact === undefined) return undefined;
    const { organizationId, profileId, engine, media } = this.#parts;
    const { attachment } = fact;
    const { content } = fact.data.content;
    if (attachment.size > limit) throw new MediaGone('The media are larger than any that are taken.');
    const signal = AbortSignal.any([this.#parts.signal, AbortSignal.timeout(attemptMs)]);
    const { mimetype, filename } = 'media' in content ? content.media : {};
    const key = mediaKey({ organizationId, profileId }, uuidOf(`${profileId} ${id}`));
    const stored = await media.put(key, await engine.download(attachment, signal), { mimetype, filename, limit });
    if (attachment.sha256 === undefined || attachment.sha256 === stored.sha256) return stored;
    await media.delete(key);
    throw new MediaGone('The media are not those that were sent.');
  }

  #isLate(id: string): boolean {
    return timeOf(id) < this.#parts.clock.now() - lateMs;
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof MediaGone || (error instanceof Refused && error.code === 'PAYLOAD_TOO_LARGE');
