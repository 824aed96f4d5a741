import type { Cache, EncryptionKeys } from '@messaging-gateway/runtime';

export interface ShownQr {
  readonly qr: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The QR codes of this moment, shared by all replicas. They give access to an account, so they are kept encrypted. */
export class QrCodes {
  readonly #cache: Cache;
  readonly #encryption: EncryptionKeys;
  /** Images by profile: the same code is asked for again and again while somebody looks for the phone. */
  readonly #images = new Map<string, { readonly qr: string; readonly image: Promise<string> }>();

  constructor(cache: Cache, encryption: EncryptionKeys) {
    this.#cache = cache;
    this.#encryption = encryption;
  }

  async show(profileId: string, shown: ShownQr, validForMs: number): Promise<void> {
    const sealed = this.#encryption.seal(Buffer.from(JSON.stringify(shown)), `qr ${profileId}`);
    await this.#cache.set(`qr:${profileId}`, sealed.toString('base64'), validForMs);
  }

  async hide(profileId: string): Promise<void> {
    this.#images.delete(profileId);
    await this.#cache.delete(`qr:${profileId}`);
  }

  async current(profileId: string): Promise<ShownQr | undefined> {
    const sealed = await this.#cache.get(`qr:${profileId}`);
    if (sealed === undefined) return undefined;
    return JSON.parse(this.#encryption.open(Buffer.from(sealed, 'base64'), `qr ${profileId}`).toString()) as ShownQr;
  }

  /** The code as a PNG data URL. */
  imageOf(profileId: string, qr: string): Promise<string> {
    const known = this.#images.get(profileId);
    if (known?.qr === qr) return known.image;
    const image = import('qrcode').then(({ toDataURL }) =>
      toDataURL(qr, { errorCorrectionLevel: 'L', margin: 4, scale: 4 }),
    );
    this.#images.set(profileId, { qr, image });
    return image;
  }
}
