import { placeOfMedia } from '@messaging-gateway/contracts';

const prefixForm =
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/(uploads|templates|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/;

/** @throws Error: what is not a key reaches no store */
export function assertKey(key: string): void {
  if (placeOfMedia(key) === undefined) throw new Error('This is not a key of the media store.');
}

/** @throws Error: what is not a prefix reaches no store */
export function assertPrefix(prefix: string): void {
  if (!prefixForm.test(prefix)) throw new Error('This is not a prefix of the media store.');
}

/** Drafts of writers that died are removed after so long, milliseconds: no writer takes that long. */
export const leftAfterMs = 24 * 3_600_000;
