import { hash } from 'node:crypto';

/** A chat on the network, in the form that leaves the gateway. */
export interface ParsedRecipient {
  readonly jid: string;
  readonly kind: 'user' | 'group' | 'lid';
  /** Digits of the phone, for a user. */
  readonly phone?: string;
}

const groupForm = /^\d{5,32}(-\d{5,32})?@g\.us$/;
const lidForm = /^\d{5,32}@lid$/;

/**
 * Content of a character class: blanks, and characters that are not displayed, such as the direction marks around a number that
 * was copied from an address book. Every engine for regular expressions reads it, as the API description contains it.
 */
const blank = String.raw`\s\u00AD\u0600-\u0605\u061C\u06DD\u070F\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB`;
/** Content of a character class: all dashes, and the minus sign. */
const dash = String.raw`\-\u058A\u05BE\u1806\u2010-\u2015\u2212\u2E3A\u2E3B\u301C\u3030\uFE31\uFE32\uFE58\uFE63\uFF0D`;
const separator = String.raw`[.()[\]${blank}${dash}]`;

/** Patterns of what `normalizePhone` and `parseRecipient` accept. */
export const phonePattern = String.raw`${separator}*\+?${separator}*(?:\d${separator}*){7,15}`;
export const around = (pattern: string): string => String.raw`[${blank}]*(?:${pattern})[${blank}]*`;

const separators = new RegExp(separator, 'gu');
const margin = new RegExp(`^[${blank}]+|[${blank}]+$`, 'gu');

/**
 * Parses a recipient: digits of a phone (see `normalizePhone`), `<digits>@c.us`, `<digits>@s.whatsapp.net`, `<id>@g.us` or
 * `<id>@lid`, with blanks and invisible characters around. The country code is not guessed.
 */
export function parseRecipient(text: string): ParsedRecipient | undefined {
  const jid = text.replaceAll(margin, '');
  if (groupForm.test(jid)) return { jid, kind: 'group' };
  if (lidForm.test(jid)) return { jid, kind: 'lid' };
  const phone = normalizePhone(jid.replace(/@(c\.us|s\.whatsapp\.net)$/, ''));
  return phone === undefined ? undefined : { jid: `${phone}@c.us`, kind: 'user', phone };
}

/** Digits of a phone number, 7–15 of them, without separators, invisible characters and a leading plus; otherwise undefined. */
export function normalizePhone(text: string): string | undefined {
  const digits = text.replaceAll(separators, '').replace(/^\+/, '');
  return /^\d{7,15}$/.test(digits) ? digits : undefined;
}

/**
 * UUIDs of version 5 (RFC 9562) in a namespace. Made a dozen times for each send: half the cost of the library's, with
 * the same result.
 *
 * @param namespace a UUID
 */
export function namedUuids(namespace: string): (name: string) => string {
  const prefix = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  return (name) => {
    const hex = hash('sha1', Buffer.concat([prefix, Buffer.from(name)]), 'hex');
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}

const uuidOf = namedUuids('6f2d0c1e-5b0a-5c57-9d43-0a4a6f5f0f10');

/** Id of the conversation of a profile with a chat: derived, so that outbound names it without asking the inbox. */
export function conversationIdOf(profileId: string, chatJid: string): string {
  return uuidOf(`${profileId} ${chatJid}`);
}
