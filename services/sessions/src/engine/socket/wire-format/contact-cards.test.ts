import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readVcard, vcardOf } from './contact-cards.ts';

describe('a contact card', () => {
  it('is read as it was written', () => {
    const line = fc.string({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text) && text === text.trim());
    fc.assert(
      fc.property(
        fc.tuple(line, line, line),
        fc.array(fc.stringMatching(/^[1-9]\d{6,14}$/), { minLength: 1 }),
        fc.emailAddress(),
        ([name, organization, label], numbers, email) => {
          const phones = numbers.map((phone) => ({ phone, label }));
          const card = { name, phone: numbers[0] ?? '', phones, email, organization };
          expect(readVcard(vcardOf(card), '')).toEqual(card);
        },
      ),
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
    expect(readVcard(card, 'Ada')).toEqual({
      name: 'Ada Lovelace',
      phone: '4915112345678',
      phones: [{ phone: '4915112345678', label: 'Mobile' }],
    });
  });

  it('has one number as the network itself writes it', () => {
    const card = readVcard(vcardOf({ name: 'Ada', phone: '4915112345678' }), '');
    expect(card).toEqual({ name: 'Ada', phone: '4915112345678', phones: [{ phone: '4915112345678', label: 'CELL' }] });
  });

  it('of vCard 2.1 is decoded', () => {
    const card = [
      'BEGIN:VCARD',
      'VERSION:2.1',
      'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=5A=6F=C3=AB =',
      '=4D=C3=BCller',
      'TEL;CELL:+49 151 12345678',
      'TEL;WORK;VOICE:030 123456',
      'END:VCARD',
    ].join('\r\n');
    expect(readVcard(card, 'Zoe')).toEqual({
      name: 'Zoë Müller',
      phone: '4915112345678',
      phones: [
        { phone: '4915112345678', label: 'CELL' },
        { phone: '030123456', label: 'WORK' },
      ],
    });
  });

  it('needs nothing but the name that the message gives', () =>
    expect(readVcard('BEGIN:VCARD\nEND:VCARD', 'Ada')).toEqual({ name: 'Ada' }));
});
