import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partsOf } from './parts.ts';

const cut = (text: string, rows: number) => [...partsOf(text, { rows, characters: 1_000_000 })];

describe('a CSV file in pieces', () => {
  it('repeats the header, and knows which lines of the file they are', () => {
    expect(cut('phone,name\n1,A\n2,B\n3,C', 2)).toEqual([
      { csv: 'phone,name\n1,A\n2,B\n', lineOffset: 0, until: 19 },
      { csv: 'phone,name\n3,C', lineOffset: 2, until: 22 },
    ]);
  });

  it('cuts no cell that has line ends, whatever stands between cells', () => {
    const parts = cut('sep=;\r\nname;phone\r\n"A\r\n""x"";";1\r\nB;2\r\n', 1);
    expect(parts.map(({ csv, lineOffset }) => [csv, lineOffset])).toEqual([
      ['sep=;\r\nname;phone\r\n"A\r\n""x"";";1\r\n', 0],
      ['sep=;\r\nname;phone\r\nB;2\r\n', 2],
    ]);
  });

  it('goes on behind a quote that is never closed, and takes one inside a word for a letter', () => {
    expect(cut('phone,name\n1,5" A\n2,"B\n3,C\n', 1).map(({ csv }) => csv.slice(11))).toEqual([
      '1,5" A\n',
      '2,"B\n',
      '3,C\n',
    ]);
  });

  it.each(['', 'phone', 'phone\n'])('is one piece where there is nothing but a header: %j', (text) =>
    expect(cut(text, 2)).toEqual([{ csv: text, lineOffset: 0, until: text.length }]),
  );

  it('loses nothing and doubles nothing', () => {
    const cell = fc.oneof(
      fc.stringMatching(/^[a-z ]{0,5}$/),
      fc.stringMatching(/^[a-z,\n"]{0,6}$/).map((text) => `"${text.replaceAll('"', '""')}"`),
    );
    const row = fc.tuple(cell, cell).map((cells) => `${cells.join(',')}\n`);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), fc.integer({ min: 1, max: 4 }), (rows, most) => {
        const header = 'phone,name\n';
        const parts = cut(header + rows.join(''), most);
        expect(parts.map(({ csv }) => csv.slice(header.length))).toEqual(
          Array.from({ length: Math.ceil(rows.length / most) }, (_, at) =>
            rows.slice(at * most, (at + 1) * most).join(''),
          ),
        );
      }),
    );
  });
});
