import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Seconds for which a code is shown. */
const period = 30;
/** Codes of this many periods before and after are taken too, for clocks that do not run alike (RFC 6238, 5.2). */
const window = 1;
const secretBytes = 20;
const backupCodeCount = 10;
/** No letters or digits that look alike: 10 of 31 are 49 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const halfLength = 5;

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Messaging Gateway', label, secret: Secret.fromBase32(secret), digits: 6, period });

/** @returns a new secret, base32 */
export const newSecret = (): string => new Secret({ size: secretBytes }).base32;

/** URL that an authenticator app reads from a picture. @param label owner of the codes, for example an address */
export const otpauthUrl = (secret: string, label: string): string => totp(secret, label).toString();

/**
 * The period that a code belongs to, counted from 1970; undefined when it is no code of this time. Pure.
 *
 * @param at milliseconds since 1970
 */
export function stepOf(secret: string, code: string, at: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totp(secret).validate({ token: code, timestamp: at, window });
  return delta === null ? undefined : Math.floor(at / 1000 / period) + delta;
}

/** New backup codes, as they are shown once: `xxxxx-xxxxx`. */
export const newBackupCodes = (): string[] =>
  Array.from({ length: backupCodeCount }, () => `${randomWord(halfLength)}-${randomWord(halfLength)}`);

const randomWord = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Digest of a backup code, as it is kept; spaces, dashes and capitals make no difference. */
export const fingerprintOf = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId} ${code.replaceAll(/[\s-]/g, '').toLowerCase()}`)
    .digest('base64url');
