import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cardFrom, cardText } from './cards.ts';

const name = fc.string({ minLength: 1 }).map((one) => one.replace(/\r/g, ''));
const phone = fc.stringMatching(/^[1-9]\d{6,14}$/);

describe('a contact card', () => {
  it('says what it was made of', () => {
    fc.assert(
      fc.property(fc.record({ name: name.filter((one) => one !== ''), phone, email: fc.emailAddress() }), (card) => {
        expect(cardFrom(cardText(card), '')).toEqual(card);
      }),
    );
  });

  it('is read in the forms that phones write', () => {
    const lines = ['BEGIN:VCARD', 'N:Doe;Ann;;;', 'item1.TEL;waid=4915100000002:+49 151', '  00000002', 'END:VCARD'];
    expect(cardFrom(lines.join('\r\n'), 'Ann')).toEqual({ name: 'Ann', phone: '4915100000002' });
  });
});
