import { createECDH } from 'node:crypto';

/** Raw keys of P-256, base64url. */
export interface VapidPair {
  /** 65 bytes. */
  readonly publicKey: string;
  /** 32 bytes. */
  readonly privateKey: string;
}

const plain = /^[\w-]+={0,2}$/;

/** The bytes of a text in base64url, exactly so many. */
export function bytesOf(text: string, length: number): Buffer | undefined {
  if (!plain.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length ? bytes : undefined;
}

/** Whether it is a point of P-256, uncompressed, as base64url. */
export function isPoint(text: string): boolean {
  const bytes = bytesOf(text, 65);
  if (bytes === undefined) return false;
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  try {
    curve.computeSecret(bytes);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with a pair, as the rest of a sentence. */
export function vapidFault({ publicKey, privateKey }: VapidPair): string | undefined {
  const secret = bytesOf(privateKey, 32);
  if (secret === undefined) return 'must have 32 bytes, as base64url';
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(secret);
  } catch {
    return 'must be a private key of P-256';
  }
  return curve.getPublicKey().equals(Buffer.from(publicKey, 'base64url'))
    ? undefined
    : 'does not belong to VAPID_PUBLIC_KEY';
}
