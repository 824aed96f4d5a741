import type { Readable } from 'node:stream';
import { Refused } from '@messaging-gateway/messaging';

/** Media that are to go out, as they come. Read the stream to its end or destroy it. */
export interface OpenedMedia {
  /** Fails with `Refused MEDIA_UNAVAILABLE` when they break off or become too large. */
  readonly stream: Readable;
  /** Read from the bytes. */
  readonly mimetype: string;
  readonly filename?: string;
}

/** @param reason the rest of a sentence; never a URL, which may hold secrets */
export const mediaUnavailable = (reason: string): Refused =>
  new Refused('MEDIA_UNAVAILABLE', `The media could not be fetched: ${reason}.`);
