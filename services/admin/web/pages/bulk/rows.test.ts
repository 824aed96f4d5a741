import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { filled, messagesOf, placeholdersIn, rowsIn } from './rows.ts';

describe('rows of a bulk send', () => {
  it('are read with commas, semicolons and tabs, quoted or not', () => {
    const rows = [
      { phone: '491', name: 'Ada, the first' },
      { phone: '492', name: '' },
    ];
    const texts = [
      'phone,name\n491,"Ada, the first"\n492',
      '\uFEFFPhone;name\r\n491; Ada, the first\r\n\r\n492;\r\n',
      'phone\tname\n491\tAda, the first\tmore\n492\t',
    ];
    for (const text of texts) expect(rowsIn(text)).toEqual({ columns: ['phone', 'name'], rows });
    expect(rowsIn('')).toEqual({ columns: [], rows: [] });
    expect(rowsIn('phone')).toEqual({ columns: ['phone'], rows: [] });
    expect(rowsIn('phone,name\n491,"Ada').fault).toMatch(/quote/i);
  });

  it('never throw, whatever was pasted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { columns, rows } = rowsIn(text);
        for (const row of rows) expect(Object.keys(row).toSorted()).toEqual([...new Set(columns)].toSorted());
      }),
    );
  });

  it('come back as they were written as CSV', () => {
    const cell = fc.string().filter((text) => text === text.trim() && !text.includes('\u0000'));
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (pairs) => {
        const csv = ['phone,name', ...pairs.map(([phone, name]) => `${quoted(`4${phone}`)},${quoted(name)}`)].join(
          '\n',
        );
        expect(rowsIn(csv).rows).toEqual(pairs.map(([phone, name]) => ({ phone: `4${phone}`, name })));
      }),
    );
  });

  it('fill the texts that ask for them, and leave alone what is no name', () => {
    const content = { text: 'Hello {name}, {1} {}, {größe}' };
    expect(placeholdersIn(content)).toEqual(['name', 'größe']);
    expect(filled(content.text, { name: '$&', other: 'x' })).toBe('Hello $&, {1} {}, {größe}');
    expect(messagesOf(rowsIn('phone,name\n+49 (151) 2-3,Ada\nada@lid,Bob'), 'text', content)).toEqual([
      { chatId: '4915123', type: 'text', content, variables: { name: 'Ada' } },
      { chatId: 'ada@lid', type: 'text', content, variables: { name: 'Bob' } },
    ]);
    expect(messagesOf(rowsIn('phone\n491'), 'text', { text: 'Hello' })).toEqual([
      { chatId: '491', type: 'text', content: { text: 'Hello' } },
    ]);
  });
});
