import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/**
 * `holds`: it comes from a process that has the secret, and is meant for this place. `missing`: it has none. `unknown`: a
 * key made it that is not configured here; another process may have it. `wrong`: it was changed, or is meant for another place.
 */
export type SealState = 'holds' | 'missing' | 'unknown' | 'wrong';

/** Seals on what lies with others: whoever can write there, but has no secret of the installation, can forge none. */
export interface Seals {
  /**
   * HMAC-SHA-256 with the current key.
   *
   * @param place what the content is and where it belongs; under another one the seal does not hold
   * @returns the key's id (8 hex digits), a dot, and the MAC as base64url
   */
  of(place: string, content: string | Uint8Array): string;
  stateOf(place: string, content: string | Uint8Array, seal: unknown): SealState;
}

/**
 * Seals from the secret texts that the keys of encryption come from.
 *
 * @param current `ENCRYPTION_KEY`
 * @param previous `ENCRYPTION_KEY_PREVIOUS`: still believed, no longer sealed with
 */
export function sealsOf(current: string, previous: readonly string[] = []): Seals {
  const keys = new Map([current, ...previous].toReversed().map(keyOf));
  const [currentId] = keyOf(current);
  const macOf = (secret: KeyObject, place: string, content: string | Uint8Array): Buffer =>
    createHmac('sha256', secret)
      .update(`${Buffer.byteLength(place)} ${place} `)
      .update(content)
      .digest();
  return {
    of: (place, content) => {
      const mac = macOf(keys.get(currentId) as KeyObject, place, content);
      return `${currentId}.${mac.toString('base64url')}`;
    },
    stateOf: (place, content, seal) => {
      if (typeof seal !== 'string' || seal === '') return 'missing';
      const [id = '', mac = ''] = seal.split('.', 2);
      const secret = keys.get(id);
      if (secret === undefined) return 'unknown';
      const given = Buffer.from(mac, 'base64url');
      const right = macOf(secret, place, content);
      return given.length === right.length && timingSafeEqual(given, right) ? 'holds' : 'wrong';
    },
  };
}

function keyOf(text: string): readonly [id: string, secret: KeyObject] {
  const derive = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', text, '', `messaging-gateway ${purpose}`, length));
  return [derive('seal id', 4).toString('hex'), createSecretKey(derive('seals', 32))];
}
