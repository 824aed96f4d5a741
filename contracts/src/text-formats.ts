import { connectionStatuses } from './events/sessions/connection.ts';
import { around, normalizePhone, parseRecipient, phonePattern } from './recipient.ts';

/** A form of texts: what fits, and the sentence for who wrote something else. */
interface TextFormat {
  /** Absent: the library's own. */
  readonly fits?: (text: string) => boolean;
  /** The rest of a sentence that begins with the field's name. It holds an example. */
  readonly form: string;
  /** Of a format of our own: for who knows patterns only. Whatever fits matches it. */
  readonly pattern?: string;
}

const userPattern = String.raw`${phonePattern}(?:@(?:c\.us|s\.whatsapp\.net))?`;
const personPattern = String.raw`${userPattern}|\d{5,32}@lid`;
const chatPattern = String.raw`${personPattern}|\d{5,32}(?:-\d{5,32})?@g\.us`;

/** One emoji as it is seen, whatever it is made of; those that look like text without a selector too. */
const oneEmoji = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?)$/v;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const phone = 'a phone with its country code (7 to 15 digits), such as +4915112345678';
const oneStatus = `(?:${connectionStatuses.join('|')})`;

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Whether a date is in the calendar. */
const isDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** Whether this is the name of a time zone of the IANA that this runtime knows; a difference from UTC such as `+05:00` is none. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A format that is no more than its pattern. */
const byPattern = (pattern: string, form: string): TextFormat => {
  const expression = new RegExp(pattern, 'u');
  return { fits: (text) => expression.test(text), form, pattern };
};

const formats = {
  recipient: {
    fits: (text) => parseRecipient(text) !== undefined,
    form: `must be ${phone}, or <digits>@c.us, <id>@lid or <id>@g.us`,
    pattern: `^${around(chatPattern)}$`,
  },
  person: {
    fits: (text) => (parseRecipient(text)?.kind ?? 'group') !== 'group',
    form: `must be ${phone}, or <digits>@c.us or <id>@lid`,
    pattern: `^${around(personPattern)}$`,
  },
  chat: {
    fits: (text) => uuid.test(text) || parseRecipient(text) !== undefined,
    form: `must be a conversation's id, ${phone}, or <digits>@c.us, <id>@lid or <id>@g.us`,
    pattern: String.raw`^(?:[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}|${around(chatPattern)})$`,
  },
  phone: {
    fits: (text) => normalizePhone(text) !== undefined,
    form: `must be ${phone}`,
    pattern: `^${phonePattern}$`,
  },
  group: byPattern(
    String.raw`^\d{5,32}(-\d{5,32})?@g\.us$`,
    'must be the full JID of a group, such as 120363041234567890@g.us',
  ),
  code: byPattern(
    '^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$',
    'must be letters and digits, with hyphens between them, such as 123-456',
  ),
  emoji: {
    fits: (text) => text === '' || oneEmoji.test(text),
    form: 'must be one emoji, such as 👍, or empty',
    pattern: String.raw`^(?:[#*0-9]?[^\x00-\x7F]+)?$`,
  },
  tag: byPattern(
    String.raw`^[^;\s]([^;]*[^;\s])?$`,
    'must hold no ; and neither begin nor end with a blank, such as new customer',
  ),
  'media-type': byPattern(String.raw`^[\w.+-]+/[\w.+-]+( *;.*)?$`, 'must be a media type, such as image/png'),
  digits: byPattern('^[0-9]{1,18}$', 'must be digits, such as 42'),
  'bot-id': byPattern('^[A-Za-z0-9_-]{1,128}$', 'must be letters, digits, - and _, such as my-bot-a1b2c3'),
  statuses: byPattern(
    `^${oneStatus}(?:,${oneStatus}){0,6}$`,
    `must be statuses with commas between them, such as connected,failed; there are ${connectionStatuses.join(', ')}`,
  ),
  timezone: {
    fits: isTimeZone,
    form: 'must be the name of a time zone, such as Asia/Jakarta',
    pattern: String.raw`^[A-Za-z][\w+-]*(?:/[\w+-]+)*$`,
  },
  moment: {
    fits: (text) =>
      /^\d{4}-\d{2}-\d{2}$/.test(text) ? isDay(text) : instant.test(text) && !Number.isNaN(Date.parse(text)),
    form: 'must be a date, such as 2026-01-31, or a time with its zone in ISO 8601, such as 2026-01-31T12:00:00.000Z',
    pattern: String.raw`^\d{4}-\d{2}-\d{2}(?:T.*)?$`,
  },
  // The library's also takes leap seconds and offsets without minutes, of which no `Date` can be made.
  'date-time': {
    form: 'must be a time with its zone in ISO 8601, such as 2026-01-31T12:00:00.000Z or 2026-01-31T13:00:00+01:00',
  },
  uuid: { form: 'must be a UUID, such as 0198c0de-0000-7000-8000-000000000001' },
  email: { form: 'must be an e-mail address, such as ada@example.com' },
  uri: { form: 'must be a URL, such as https://example.com/path' },
} satisfies Readonly<Record<string, TextFormat>>;

/** The formats of our own, and how those of the library are called in words. */
export const textFormats: Readonly<Record<string, TextFormat> & Record<keyof typeof formats, TextFormat>> = formats;

/** Longer than any date, so that long texts are not taken apart. */
const longestTime = 64;

/** Whether a text that the library takes for a time is one. */
export const isTime = (ofLibrary: (text: string) => boolean, text: string): boolean =>
  text.length <= longestTime && ofLibrary(text) && !Number.isNaN(Date.parse(text));
