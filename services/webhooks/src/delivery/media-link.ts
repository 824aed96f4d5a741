import type { EncryptionKeys } from '@messaging-gateway/runtime';

/** Webhook and file that a link to media stands for. */
export interface MediaLink {
  readonly webhookId: string;
  /** Key in the media store. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A link in an event is good for so long after the attempt, milliseconds. */
export const linkMs = 3_600_000;

const purpose = 'media link';

/** Seals a link: nobody can read what it stands for, nor make another one. */
export const tokenOf = (encryption: EncryptionKeys, link: MediaLink): string =>
  encryption.seal(Buffer.from(JSON.stringify(link)), purpose).toString('base64url');

/** Undefined for what is no token of this gateway. */
export function linkOf(encryption: EncryptionKeys, token: string): MediaLink | undefined {
  try {
    return JSON.parse(encryption.open(Buffer.from(token, 'base64url'), purpose).toString()) as MediaLink;
  } catch {
    return undefined;
  }
}
