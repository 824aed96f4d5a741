import { compileFunction } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { contains } from './contains.ts';
import { instrumented } from './instrumented.ts';
import type { Recorded } from './recorded.ts';
import { roomsOf } from './rooms.ts';
import { summaryOf } from './summary.ts';

/** Runs a program, and notes what its functions tell. */
async function told(program: string): Promise<unknown[]> {
  const notes: unknown[] = [];
  const walk = {
    begins: (line: number, parameters: unknown[]) => void notes.push(['begins', line, ...parameters]),
    gives: (line: number, value: unknown) => {
      notes.push(['gives', line, value]);
      return value;
    },
  };
  const code = `return (async () => {${instrumented(program, (line) => line)}\n})();`;
  await (compileFunction(code, ['__walk']) as (tools: typeof walk) => Promise<void>)(walk);
  return notes;
}

describe('a program that tells what runs', () => {
  it('tells of functions of each kind with all that their parameters bind', async () => {
    const program = `
      function plain(a, { b, deep: [c = 3] }, ...rest) { return a + b + c + rest.length; }
      const arrow = (a) => (b) => ({ a, b });
      const made = new (class { #x = () => 1; constructor(a) { this.a = a; } get x() { return this.#x(); } })(9);
      plain(1, { b: 2, deep: [] }, 4); arrow(1)(2); made.x;`;
    expect(await told(program)).toEqual([
      ['begins', 4, 9],
      ['begins', 2, 1, 2, 3, [4]],
      ['gives', 2, 7],
      ['begins', 3, 1],
      ['gives', 3, expect.any(Function)],
      ['begins', 3, 2],
      ['gives', 3, { a: 1, b: 2 }],
      ['begins', 4],
      ['begins', 4],
      ['gives', 4, 1],
      ['gives', 4, 1],
    ]);
  });

  it('does what it did before', async () => {
    const program = `
      const pair = () => (1, [() => 2, async () => 3]);
      const order = async (x = pair()[0]()) => { for await (const y of [x]) if (y) return
        await pair()[1](); };
      __walk.gives('outcome', await order());`;
    expect((await told(program)).at(-1)).toEqual(['gives', 'outcome', undefined]);
  });
});

describe('a text is found', () => {
  it.each([
    ['in a text', 'say walk-1 aloud'],
    ['in what a message is handed on in', [{ command: { content: { text: 'walk-1' } } }]],
    ['in bytes', { parts: [Buffer.from('{"text":"walk-1"}')] }],
    ['in a map', new Map([['one', { text: 'walk-1' }]])],
  ])('%s', (_, value) => expect(contains(value, 'walk-1')).toBe(true));

  it('not in another one, nor behind the parts of a program', () => {
    class Part {
      readonly text = 'walk-1';
    }
    const circle: Record<string, unknown> = { part: new Part() };
    circle['self'] = circle;
    expect([contains('walk-2', 'walk-1'), contains(circle, 'walk-1')]).toEqual([false, false]);
  });
});

describe('a room of a way', () => {
  const begun = (file: string, from?: string) => ({
    file,
    line: 1,
    flow: 'main' as const,
    isHolding: true,
    ...(from === undefined ? {} : { from: `${from}:5` }),
  });
  const gave = (file: string, isHolding: boolean) => ({ ...begun(file), isHolding, isEnd: true as const });
  const listed = (...steps: Parameters<typeof roomsOf>[0]) => roomsOf(steps);

  it('hands the text on to one that handles it: gives it back, or what it made of it', () =>
    expect(
      listed(begun('a'), begun('b', 'a:1'), begun('c', 'b:1'), gave('c', true), begun('d', 'b:2'), gave('d', false)),
    ).toEqual(['a', 'b', 'c', 'd']));

  it('is none that is only told, and none whose own function makes something', () =>
    expect(
      listed(begun('a'), begun('b', 'a:1'), { ...begun('b', 'b:3'), line: 9 }, { ...gave('b', false), line: 9 }),
    ).toEqual([]));

  it('is none that makes something of what is offered to many, but one that hands it on', () =>
    expect(
      listed(
        begun('a'),
        begun('view', 'a:1'),
        gave('view', false),
        begun('lane', 'a:1'),
        begun('agenda', 'lane:2'),
        gave('agenda', true),
      ),
    ).toEqual(['a', 'lane', 'agenda']));

  it('is none behind the library', () =>
    expect(
      listed(
        begun('a'),
        begun('b', 'a:1'),
        gave('b', true),
        { ...begun('store'), from: 'library' },
        gave('store', true),
      ),
    ).toEqual(['a', 'b']));
});

describe('ways are counted', () => {
  const step = (file: string, line: number, flow: 'main' | 'beside' | 'none' = 'main', isHolding = false) => ({
    file,
    line,
    flow,
    isHolding,
  });

  it('by what is common to most of them', () => {
    const [one, two, bus] = ['tools/walk/main.ts', 'tools/walk/summary.ts', 'tools/walk/sending.ts'];
    const ran = [
      step(one, 1, 'main', true),
      { ...step(one, 1, 'main', true), isEnd: true as const },
      step(two, 2),
      step(bus, 3, 'beside', true),
      step(one, 4),
      step('other', 5, 'none'),
    ];
    const ways: Recorded[] = [
      { status: 200, ran },
      { status: 200, ran: [...ran, { ...step(two, 2, 'main', true), isEnd: true }] },
      { status: 200, ran: [...ran, step('seldom', 1)] },
    ];
    expect(summaryOf(ways, process.cwd())).toMatchObject({
      rooms: [one],
      files: [one, two],
      functions: 3,
      calls: 3,
      moves: 2,
      beside: [bus],
    });
  });
});
