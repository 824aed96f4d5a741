import { createHmac } from 'node:crypto';

export interface Secrets {
  readonly current: string;
  /** Still valid after a rotation. */
  readonly previous?: string | undefined;
}

export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: Buffer;
}

const prefix = 'whsec_';

/** Base64 of at least one byte, padded or not. */
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?|[A-Za-z0-9+/]{4})$/;

/** Whether a secret with the prefix of Standard Webhooks holds base64 after it; others are free text. */
export const isSecret = (text: string): boolean =>
  !text.startsWith(prefix) || base64Form.test(text.slice(prefix.length));

/** Key of `webhook-signature`: the base64 part of a `whsec_` secret, else the secret's bytes. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret);

/**
 * Headers that prove where a delivery comes from: `X-Service-Signature` (keyed with the secret string
 * itself) and the trio of Standard Webhooks, whose signature names the newer secret first while two are valid.
 */
export function signatureHeaders(message: SignedMessage, secrets: Secrets | undefined): Record<string, string> {
  const headers = { 'webhook-id': message.id, 'webhook-timestamp': String(message.timestamp) };
  if (secrets === undefined) return headers;
  const valid = secrets.previous === undefined ? [secrets.current] : [secrets.current, secrets.previous];
  return {
    ...headers,
    'webhook-signature': valid.map((secret) => standardSignature(message, secret)).join(' '),
    'x-service-signature': `sha256=${createHmac('sha256', secrets.current).update(message.body).digest('hex')}`,
  };
}

function standardSignature({ id, timestamp, body }: SignedMessage, secret: string): string {
  const signed = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body);
  return `v1,${signed.digest('base64')}`;
}
