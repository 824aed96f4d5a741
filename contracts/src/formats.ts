import { normalizePhone, parseRecipient } from './recipient.ts';

/** A form of texts: what fits, and the sentence for who wrote something else. */
export interface TextFormat {
  /** Absent: the library's own. */
  readonly fits?: (text: string) => boolean;
  readonly form: string;
}

/** One emoji as it is seen, whatever it is made of; those that look like text without a selector too. */
const oneEmoji = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?)$/v;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Longer than any date, so that long texts are not taken apart. */
const longestTime = 64;

/** The formats of our own, and how those of the library are called in words. */
export const textFormats: Readonly<Record<string, TextFormat>> = {
  recipient: {
    fits: (text) => parseRecipient(text) !== undefined,
    form: 'must be a phone with its country code (7 to 15 digits), or <digits>@c.us, <id>@lid or <id>@g.us',
  },
  person: {
    fits: (text) => (parseRecipient(text)?.kind ?? 'group') !== 'group',
    form: 'must be a phone with its country code (7 to 15 digits), or <digits>@c.us or <id>@lid',
  },
  chat: {
    fits: (text) => uuid.test(text) || parseRecipient(text) !== undefined,
    form: "must be a conversation's id, a phone with its country code (7 to 15 digits), or <digits>@c.us, <id>@lid or <id>@g.us",
  },
  phone: {
    fits: (text) => normalizePhone(text) !== undefined,
    form: 'must be a phone with its country code, 7 to 15 digits',
  },
  code: {
    fits: (text) => /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(text),
    form: 'must be letters and digits, with hyphens between them',
  },
  emoji: { fits: (text) => text === '' || oneEmoji.test(text), form: 'must be one emoji, or empty' },
  // The library's also takes leap seconds and offsets without minutes, of which no `Date` can be made.
  'date-time': {
    form: 'must be a time with its zone in ISO 8601, such as 2026-01-31T12:00:00.000Z',
  },
  uuid: { form: 'must be a UUID, such as 0198c0de-0000-7000-8000-000000000001' },
  email: { form: 'must be an e-mail address' },
};

/** Whether a text that the library takes for a time is one. */
export const isTime = (ofLibrary: (text: string) => boolean, text: string): boolean =>
  text.length <= longestTime && ofLibrary(text) && !Number.isNaN(Date.parse(text));
