import { Refused } from '@messaging-gateway/messaging';

/** @param reason the rest of a sentence; never a URL, which may hold secrets */
export const mediaUnavailable = (reason: string): Refused =>
  new Refused('MEDIA_UNAVAILABLE', `The media could not be fetched: ${reason}.`);
