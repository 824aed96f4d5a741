import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maxTextLength, networkMarks } from './marks.ts';
import { chosen, saidIn } from './reply.ts';
import { textOfNodes } from './rich-text.ts';

describe('markdown with the marks of the network', () => {
  it.each([
    ['**bold** and __bold__', '*bold* and *bold*'],
    ['*italic* and _italic_', '_italic_ and _italic_'],
    ['***both***', '*_both_*'],
    ['**bold with _italic_ inside**', '*bold with _italic_ inside*'],
    ['~~gone~~', '~gone~'],
    ['`**code**`', '`**code**`'],
    ['```js\n**code**\n```', '```\n**code**\n```'],
    ['[our page](https://example.com/a_b)', 'our page (https://example.com/a_b)'],
    ['[https://example.com](https://example.com)', 'https://example.com'],
    ['<https://example.com/a_b_c>', 'https://example.com/a_b_c'],
    ['# A title\ntext', '*A title*\ntext'],
    ['* one\n- two', '- one\n- two'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    [String.raw`\*as it is\*`, '*as it is*'],
    ['**two\nlines**', '**two\nlines**'],
    ['a < b & c > d', 'a < b & c > d'],
  ])('%j', (markdown, marked) => expect(networkMarks(markdown)).toBe(marked));

  it('leaves words and numbers alone, and takes anything', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N} .,?!\n]*$/u), (text) => expect(networkMarks(text)).toBe(text)),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('*', '**', '_', '__', '~~', '`', '[', '](', ')', '\\', '#', 'a', ' ', '\n', '<', '>'),
          { maxLength: 60 },
        ),
        (parts) => expect(typeof networkMarks(parts.join(''))).toBe('string'),
      ),
    );
  });

  it('costs no more than its length', () => {
    for (const part of ['**a', '*', '[', '`', '_a', '~~x', '[a](']) networkMarks(part.repeat(30_000));
  });
});

describe('rich text', () => {
  it('has the same marks', () => {
    const nodes = [
      { type: 'p', children: [{ text: 'Hello ' }, { text: 'Ada ', bold: true, italic: true }, { text: '!' }] },
      { type: 'p', children: [{ text: '' }, { type: 'a', url: 'https://example.com', children: [{ text: 'here' }] }] },
      { type: 'ul', children: [{ type: 'li', children: [{ type: 'lic', children: [{ text: 'one' }] }] }] },
      { type: 'p', children: [{ type: 'inline-variable', children: [{ type: 'p', children: [{ text: 'x' }] }] }] },
    ];
    expect(textOfNodes(nodes)).toBe('Hello *_Ada_* !\nhere (https://example.com)\n- one\nx');
  });
});

describe('an answer of Typebot', () => {
  it('is taken apart whatever it is', () => {
    fc.assert(
      fc.property(
        fc.record({ messages: fc.jsonValue(), input: fc.jsonValue(), clientSideActions: fc.jsonValue() }),
        (reply) => {
          expect(saidIn(reply).contents.every(({ type }) => type !== undefined)).toBe(true);
        },
      ),
    );
  });

  it('offers pictures and cards by their words', () => {
    const pictures = {
      type: 'picture choice input',
      items: [{ title: 'Cat', pictureSrc: 'https://example.com/cat.png' }, { pictureSrc: 'x' }],
    };
    expect(saidIn({ messages: [], input: pictures }).contents).toEqual([
      { type: 'text', content: { text: '1. Cat\n2. x' } },
    ]);
    const cards = {
      type: 'cards',
      items: [
        { title: 'One', paths: [{ id: 'a', text: 'Buy' }] },
        { title: 'Two', paths: [{ id: 'b', text: 'See' }] },
      ],
    };
    expect(saidIn({ messages: [], input: cards }).offered?.options).toEqual(['Buy', 'See']);
  });

  it('leaves out what cannot be sent', () => {
    const messages = [
      { id: '1', type: 'image', content: {} },
      { id: '2', type: 'custom-embed', content: {} },
      { id: '3', type: 'text', content: { type: 'markdown', markdown: '  \n ' } },
    ];
    expect(saidIn({ messages })).toMatchObject({
      contents: [],
      ignored: ['image', 'custom-embed'],
      waitsFor: 'nothing',
    });
  });
});

describe('a reply at its size limit', () => {
  const size = 1_000_000;
  const richText = (text: string) => ({
    type: 'richText',
    richText: [
      {
        type: 'p',
        children: [
          { text, bold: true, italic: true },
          { type: 'a', url: 'x', children: [{ text }] },
        ],
      },
    ],
  });
  it.each([' ', '\n', '*', '[', ')', '#', '# ', '_a'])('is processed in 100 ms if it is filled with %j', (filling) => {
    const text = `x${filling.repeat(size / filling.length)}x`.slice(0, maxTextLength);
    const before = process.cpuUsage();
    for (const content of [
      richText(text),
      { type: 'markdown', markdown: text },
      { type: 'markdown', markdown: `# ${text}` },
    ])
      saidIn({ messages: [{ id: '1', type: 'text', content }] });
    saidIn({
      messages: [],
      input: { type: 'choice input', items: Array.from({ length: 70_000 }, () => ({ content: text.slice(0, 15) })) },
    });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 4000).toBeLessThan(100);
  });
});

describe('a choice', () => {
  const offered = { options: ['10', 'Yes, please', '1'], several: false };
  it.each([
    ['2', 'Yes, please'],
    ['yes, PLEASE ', 'Yes, please'],
    ['1', '1'],
    ['3.', '1'],
    ['4', '4'],
    ['1, 2', '1, 2'],
    ['no', 'no'],
  ])('%j is %j', (said, choice) => expect(chosen(offered, said)).toBe(choice));
  it('may be several', () => {
    const several = { options: ['A', 'B', 'C'], several: true };
    expect(['1 3', '3,1', '2', '1, 1', '1, 9'].map((said) => chosen(several, said))).toEqual([
      'A, C',
      'C, A',
      'B',
      'A',
      '1, 9',
    ]);
  });
});
