import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/** An answer as it is given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: no body. */
  readonly json?: string;
}

export interface Seal {
  close(answer: KeptAnswer): Buffer;
  /** Undefined when it was sealed with another secret. */
  open(sealed: Buffer): KeptAnswer | undefined;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Answers may hold tokens and API keys, so they are stored as AES-256-GCM with a key that comes from a secret. */
export function answerSeal(secret: string): Seal {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'idempotency answers', 32)));
  return {
    close: (answer) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open: (sealed) => {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
        decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
        const text = Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
        return JSON.parse(text.toString('utf8')) as KeptAnswer;
      } catch {
        return undefined;
      }
    },
  };
}
