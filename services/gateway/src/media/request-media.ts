import { mediaKey } from '@messaging-gateway/contracts';
import type { MediaStore, PutOptions, StoredMedia } from '@messaging-gateway/media';
import type { Logger } from '@messaging-gateway/runtime';

/** What a request has put into the media store before its owner was asked. */
export class RequestMedia {
  readonly #store: MediaStore;
  readonly #log: Logger;
  readonly #keys: string[] = [];

  constructor(store: MediaStore, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** @param id of the object: the same one for a request that is repeated */
  async put(
    organizationId: string,
    id: string,
    source: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<StoredMedia> {
    const stored = await this.#store.put(mediaKey({ organizationId }, id), source, options);
    this.#keys.push(stored.key);
    return stored;
  }

  /** Nobody will use it: the request was refused, or answered before. What stays for want of the store goes with time. */
  async drop(): Promise<void> {
    for (const key of this.#keys.splice(0)) {
      await this.#store
        .delete(key)
        .catch((error: unknown) => this.#log.warn('Unused media not deleted', { key, reason: String(error) }));
    }
  }
}
