import type { MediaKind, MediaSourceOf } from '@messaging-gateway/contracts';
import type { TargetPolicy } from '@messaging-gateway/target-guard';
import { fits } from '../kinds.ts';
import type { MediaStore } from '../store.ts';
import type { FetchTimes } from './fetch-media.ts';
import { mediaUnavailable, type OpenedMedia } from './opened-media.ts';

interface OpenOptions {
  /** Ends the fetching, also in the middle. */
  readonly signal?: AbortSignal;
}

/** Where media that go out come from. */
export interface MediaSources {
  /**
   * Opens media of the store, or fetches a tenant's URL through the target guard: at most the bytes of the kind, no
   * redirects, bytes of the kind.
   *
   * @throws Refused MEDIA_UNAVAILABLE with the reason; Unavailable when the store is away
   */
  open(source: MediaSourceOf, kind: MediaKind, options?: OpenOptions): Promise<OpenedMedia>;
}

export interface MediaSourcesOptions {
  readonly store: MediaStore;
  /** WEBHOOK_ALLOW_PRIVATE_TARGETS governs it. */
  readonly policy: TargetPolicy;
  readonly times?: FetchTimes;
}

export const mediaSources = ({ store, policy, times }: MediaSourcesOptions): MediaSources => ({
  open: async (source, kind, { signal } = {}) => {
    if ('url' in source) {
      // Only who fetches pays for the client.
      const { fetchMedia } = await import('./fetch-media.ts');
      return fetchMedia(source.url, { kind, policy, ...(times && { times }), ...(signal && { signal }) });
    }
    const found = await store.get(source.key);
    if (found === undefined) throw mediaUnavailable('they are no longer stored');
    const { stream, mimetype, filename } = found;
    if (!fits(mimetype, kind)) {
      stream.destroy();
      throw mediaUnavailable(`they are ${mimetype}, which cannot be sent as ${kind}`);
    }
    return { stream, mimetype, ...(filename !== undefined && { filename }) };
  },
});
