import { mediaKey } from '@messaging-gateway/contracts';
import type { MediaStore, PutOptions, StoredMedia } from '@messaging-gateway/media';
import type { Logger } from '@messaging-gateway/runtime';
import type { MediaQuota } from './media-quota.ts';

/** Media that a request has put into the store before its owner was asked. */
export class RequestMedia {
  readonly #store: MediaStore;
  readonly #log: Logger;
  readonly #quota: Pick<MediaQuota, 'assertRoom' | 'note'>;
  readonly #stored: { readonly organizationId: string; readonly key: string; readonly size: number }[] = [];

  constructor(store: MediaStore, quota: Pick<MediaQuota, 'assertRoom' | 'note'>, log: Logger) {
    this.#store = store;
    this.#quota = quota;
    this.#log = log;
  }

  /**
   * @param id of the object: the same one for a request that is repeated
   * @param bytes how many will come, as far as that is known
   * @throws Refused QUOTA_REACHED, and what the store throws
   */
  async put(
    organizationId: string,
    id: string,
    source: AsyncIterable<Uint8Array>,
    options: PutOptions,
    bytes = 0,
  ): Promise<StoredMedia> {
    await this.#quota.assertRoom(organizationId, bytes);
    const stored = await this.#store.put(mediaKey({ organizationId }, id), source, options);
    this.#stored.push({ organizationId, ...stored });
    await this.#quota.note(organizationId, stored.size);
    return stored;
  }

  /**
   * Deletes the stored media, which nobody will use: the request was refused, or answered before. What stays for want
   * of the store goes with time.
   */
  async drop(): Promise<void> {
    for (const { organizationId, key, size } of this.#stored.splice(0)) {
      await this.#store
        .delete(key)
        .then(() => this.#quota.note(organizationId, -size))
        .catch((error: unknown) => this.#log.warn('Unused media not deleted', { key, reason: String(error) }));
    }
  }
}
