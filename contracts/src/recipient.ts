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
 * Reads what a client may write as a recipient: digits (with `+`, spaces, dots, dashes, brackets), `@c.us`,
 * `@s.whatsapp.net`, `@g.us`, `@lid`. Phones have 7–15 digits; no country is guessed.
 */
export function parseRecipient(text: string): ParsedRecipient | undefined {
  if (groupForm.test(text)) return { jid: text, kind: 'group' };
  if (lidForm.test(text)) return { jid: text, kind: 'lid' };
  const phone = normalizePhone(text.replace(/@(c\.us|s\.whatsapp\.net)$/, ''));
  return phone === undefined ? undefined : { jid: `${phone}@c.us`, kind: 'user', phone };
}

/** Digits of a phone number, 7–15 of them, or undefined. */
export function normalizePhone(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/^\+/, '')
    .replaceAll(/[\s.()[\]-]/g, '');
  return /^\d{7,15}$/.test(digits) ? digits : undefined;
}
