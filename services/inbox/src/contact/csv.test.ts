import { describe, expect, it } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { readCell, writtenCell, type CsvPlace } from '@messaging-gateway/csv';
import { readPiece } from './csv-import.ts';
import { nothingImported, type ImportRow } from './importing.ts';

/** Reads a file that comes in pieces of so many characters. */
function read(text: string, size = text.length || 1) {
  const file = [...text];
  const result = nothingImported();
  const rows: ImportRow[] = [];
  let place: CsvPlace = { rest: '', lines: 0 };
  for (let from = 0; from === 0 || from < file.length; from += size) {
    let text = file.slice(from, from + size).join('');
    for (let isWhole = false; !isWhole; text = '') {
      const piece = readPiece(place, text, from + size >= file.length, result);
      place = JSON.parse(JSON.stringify(piece.place)) as CsvPlace;
      rows.push(...piece.rows);
      ({ isWhole } = piece);
    }
  }
  return { rows, errors: result.errors };
}

describe('cells', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-', "'-"],
    ['@a', "'@a"],
    ["'=1", "''=1"],
    ["O'Hara", "O'Hara"],
    ["'quoted'", "'quoted'"],
    ['', ''],
  ])('%s are written as %s', (text, cell) => {
    expect(writtenCell(text)).toBe(cell);
    expect(readCell(cell)).toBe(text);
  });

  it('come back as they were, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', 'a', ' ') }), (text) => {
        expect(readCell(writtenCell(text))).toBe(text);
      }),
    );
  });
});

describe('a CSV file', () => {
  it('has its columns in any order, and names them in the first line', () => {
    expect(read('\uFEFFTags,Phone\r\nvip;;de ,4915112345678\r\n\r\n,4915112345679')).toEqual({
      rows: [
        { line: 2, contact: { phone: '4915112345678', tags: ['vip', 'de'] } },
        { line: 4, contact: { phone: '4915112345679' } },
      ],
      errors: [],
    });
  });

  it.each(['', 'name,tags\n', 'phone,nick\n', 'phone,phone\n', '"phone\n1,2\n', '4915112345678,Ada\n'])(
    'is refused without a right header',
    (file) => expect(() => read(file)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' })),
  );

  it.each([
    ['semicolons', 'Phone;Name;Tags\r\n4915112345678;Ada, B.;"vip;de"\r\n4915112345679;;\r\n', 2],
    ['tabs', 'phone\tname\ttags\n4915112345678\tAda, B.\tvip;de\n4915112345679\t\t\n', 2],
    ['what Excel names first', '\uFEFFsep=;\r\nphone;name;tags\r\n4915112345678;Ada, B.;"vip;de"\r\n4915112345679', 3],
    ['a quoted header', '"tags";"phone";"name"\n"vip;de";4915112345678;"Ada, B."\n;4915112345679;', 2],
  ])('may have its cells between %s', (_, file, line) => {
    const rows = [
      { line, contact: { phone: '4915112345678', name: 'Ada, B.', tags: ['vip', 'de'] } },
      { line: line + 1, contact: { phone: '4915112345679' } },
    ];
    for (const size of [file.length, 5, 1]) expect(read(file, size)).toEqual({ rows, errors: [] });
  });

  it('is told which columns there are', () => {
    expect(() => read('telefon;name\n')).toThrow(
      /column that is not known: "telefon"; there are phone, name, tags, metadata/,
    );
    expect(() => read('sep=|\nphone|name\n')).toThrow(/comma, a semicolon or a tab/);
  });

  it('goes on where the version before stopped', () => {
    const place: CsvPlace = { columns: ['phone', 'name'], rest: '4915112345678,A;', lines: 1 };
    const { rows } = readPiece(place, 'B\n', true, nothingImported());
    expect(rows).toEqual([{ line: 2, contact: { phone: '4915112345678', name: 'A;B' } }]);
  });

  it('has errors by line, and goes on behind them', () => {
    const file = [
      'phone,name,metadata',
      '4915100000001,"two\r\nlines"',
      '4915100000002,x"y',
      '"4915100000003"z,x',
      '4915100000004,,{',
      '4915100000005,a,{},more',
      '4915100000006,"open',
      '4915100000007,seven',
    ].join('\n');
    for (const size of [file.length, 7, 1]) {
      const { rows, errors } = read(file, size);
      expect(rows.map(({ line }) => line)).toEqual([2, 9]);
      expect(errors.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8]);
    }
  });

  it.each([
    ['short lines', 40_000, '1,\n'],
    ['empty lines', 20_000, '\n\n\n'],
    ['lines that are no CSV', 2_000, '1"\n'],
  ])('costs little at once, whatever it holds: %s', (_, count, lines) => {
    const { rows, errors } = read(`phone,name\n${lines.repeat(count)}4915112345678,Ada`);
    const last = 2 + (lines.split('\n').length - 1) * count;
    expect(rows.at(-1)).toEqual({ line: last, contact: { phone: '4915112345678', name: 'Ada' } });
    expect(errors.length).toBe(lines.includes('"') ? 1000 : 0);
    const started = readPiece({ rest: '', lines: 0 }, `phone,name\n${lines.repeat(count)}`, false, nothingImported());
    expect(started.isWhole).toBe(false);
    expect(started.place.lines).toBeLessThan(3_000);
  });

  it('gives the same rows and lines however it is cut', () => {
    const between = fc.constantFrom(',', ';', '\t');
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\t', '\n', '\r\n', ';', '🙂') });
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        between,
        (names, size, delimiter) => {
          const file = stringify([['phone', 'name'], ...names.map((name, index) => [String(index), name])], {
            delimiter,
          });
          const whole = read(file);
          expect(whole.rows.map(({ contact }) => (contact as { name?: string }).name ?? '')).toEqual(
            names.map((name) => name.trim()),
          );
          expect(read(file, size)).toEqual(whole);
        },
      ),
    );
  });
});
