import { describe, expect, it } from '@jest/globals';
import { Pattern } from './pattern.ts';

const longest = 65_536;

describe('a pattern', () => {
  it.each([
    ['order (\\d+)', 'my order 17', { text: 'order 17', groups: ['17'] }],
    ['(?i)(a)|(b)', 'xB', { text: 'B', groups: ['', 'B'] }],
    ['ORDER', 'order', undefined],
    ['^$', '', { text: '', groups: [] }],
    ['\\p{Cyrillic}+', 'ok цена', { text: 'цена', groups: [] }],
  ])('%j in %j', (source, text, expected) => expect(new Pattern(source).match(text)).toEqual(expected));

  it.each(['(a)\\1', '(?=a)', '(?<=a)b', '(', 'a{1001}', '(a{100}){100}', '((a{30}){20}){10}'])(
    'is refused: %s',
    (source) => expect(() => new Pattern(source)).toThrow(),
  );

  it.each([
    `(${'(x?)'.repeat(240)}){0,1000}`,
    'x{0,1000}'.repeat(111),
    '((a{30}){30}){1,}'.repeat(50),
    '\\p{L}{1000}'.repeat(90),
    `(${'\\Qabcd\\E'.repeat(100)}){900}`,
    '['.repeat(1000),
    '('.repeat(1000),
  ])('is refused before it takes time: %.40s', (source) => {
    const before = process.cpuUsage();
    expect(() => new Pattern(source)).toThrow();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(100);
  });

  it('may repeat what stays small', () => {
    const sources = [
      '\\d{4}-\\d{2}-\\d{2}',
      '(\\d{1,3}\\.){3}\\d{1,3}',
      '[[:alpha:]]{2,100}',
      '\\Q{9}\\E{2}',
      'a{,9}',
      '[{]{3}',
    ];
    for (const source of sources) expect(() => new Pattern(source)).not.toThrow();
  });

  it('finds in a long text what is at its end', () => {
    const text = `${'x'.repeat(longest - 5)}order`;
    expect(new Pattern('order').match(text)).toEqual({ text: 'order', groups: [] });
    expect(new Pattern('(o|p)rder$').match(text)).toBeDefined();
    expect(new Pattern('^x+order$').match(`${text}!`)).toBeUndefined();
  });

  // Each of these took another engine minutes, or this one a second.
  const worst: readonly (readonly [string, string, boolean])[] = [
    ['(a+)+$', 'a', false],
    ['(a|aa)+$', 'a', false],
    ['(a|a)*b', 'a', false],
    ['(a?){30}a{30}', 'ab', false],
    ['(x+x+)+y', 'x', false],
    ['([a-z]+)*\\d', 'a', false],
    ['^(\\w+\\s?)*$', 'ab ', false],
    ['((a*)*)*b', 'a', false],
    ['(.*)*x', 'yz', false],
    ['(.*?,){20}P', 'a,', false],
    ['[a-q][^u-z]{13}x', 'ax', false],
    ['(?i)(hello|help|held|hell)+!', 'Hell', false],
    ['(\\w+)@(\\w+)\\.com', 'a@', false],
    ['(.+)+=', 'a', false],
    ['\\b(\\w+)\\b.*\\b(\\w+)\\bz', 'a b', false],
    ['(?s)(.*a.{100}b)!', 'abaab', true],
    ['[ab]*a[ab]{20}c', 'abb', false],
    ['(ab|a|b)*c$', 'ab', false],
    ['([01]?[0-9][0-9]?\\.){10}z', '1.', false],
    ['(a.?){0,60}!', 'ab', true],
    ['(?s)a.{180}[^ab!]', 'abaab', false],
    ['(?s)[ab]*a[ab]{100}[0-9]', 'abb', false],
  ];

  it('looks at any text in a time that its length bounds: it finds what it finds in a short one', () => {
    for (const [source, piece, expected] of worst) {
      const pattern = new Pattern(source);
      const text = `${piece.repeat(longest).slice(0, longest - 1)}!`;
      expect([source, pattern.match(text) !== undefined]).toEqual([source, expected]);
    }
  });
});
