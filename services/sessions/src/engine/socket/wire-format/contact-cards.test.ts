import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readVcard, vcardOf } from './contact-cards.ts';

describe('a contact card', () => {
  it('is read as it was written', () => {
    const line = fc.string({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text));
    fc.assert(
      fc.property(line, fc.stringMatching(/^[1-9]\d{6,14}$/), fc.emailAddress(), (name, phone, email) => {
        expect(readVcard(vcardOf({ name, phone, email }), '')).toEqual({ name, phone, email });
      }),
    );
  });

  it('is read as phones write it', () => {
    const card = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Lovelace;Ada;;;',
      'FN:Ada Love',
      ' lace',
      'item1.TEL:+49 (151) 1234-5678',
      'item1.X-ABLabel:Mobile',
      'END:VCARD',
    ].join('\r\n');
    expect(readVcard(card, 'Ada')).toEqual({ name: 'Ada Lovelace', phone: '4915112345678' });
  });

  it('needs nothing but the name that the message gives', () =>
    expect(readVcard('BEGIN:VCARD\nEND:VCARD', 'Ada')).toEqual({ name: 'Ada' }));
});
