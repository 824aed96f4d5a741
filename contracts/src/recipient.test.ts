import { describe, expect, it } from '@jest/globals';
import { normalizePhone, parseRecipient } from './recipient.ts';

describe('a phone number', () => {
  it.each([
    '+49 151 12345678',
    '\u202A+4915112345678\u202C',
    '\u200E+49\u00A0(151)\u00A012345678\uFEFF',
    '+49\u2011151\u201112345678',
    '49–151—12345678',
    '+49\u2212151 12345678',
    '(+49) 151 12345678',
    '[+49].151.12345678',
    ' 4915112345678 ',
  ])('is read without separators and invisible characters: %j', (text) => {
    expect(normalizePhone(text)).toBe('4915112345678');
  });

  it.each(['++4915112345678', '49+15112345678', '123456', '1234567890123456', '49151abc45678', ''])(
    'is not %j',
    (text) => {
      expect(normalizePhone(text)).toBeUndefined();
    },
  );
});

describe('a recipient', () => {
  it.each([
    ['4915112345678@c.us', '4915112345678@c.us'],
    ['4915112345678 @c.us', '4915112345678@c.us'],
    ['(+49) 151 12345678@s.whatsapp.net', '4915112345678@c.us'],
    [' \u200E4915112345678@c.us\u200E ', '4915112345678@c.us'],
    ['\u202A100000000000001@lid\u202C', '100000000000001@lid'],
    [' 120363041234567890@g.us', '120363041234567890@g.us'],
  ])('%j is %s', (text, jid) => {
    expect(parseRecipient(text)?.jid).toBe(jid);
  });

  it.each(['ada@c.us', '4915112345678@x.us', '12@lid', '@c.us'])('is not %j', (text) => {
    expect(parseRecipient(text)).toBeUndefined();
  });
});
