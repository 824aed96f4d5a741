import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place, Recorded } from './recorded.ts';
import { roomsOf } from './rooms.ts';

/** Figures of what a reader of one message's way has to read. */
export interface Summary {
  /** In the order of the way. @see roomsOf */
  readonly rooms: readonly string[];
  /** Files of which anything ran for the request. */
  readonly files: readonly string[];
  readonly lines: number;
  readonly functions: number;
  readonly calls: number;
  /** How often the next function that began was in another file. */
  readonly moves: number;
  /** Files that ran meanwhile for those who hear of the message. */
  readonly beside: readonly string[];
}

/** Figures of what is common to most of several ways: what ran in a few of them belongs to something else. */
export function summaryOf(ways: readonly Recorded[], root: string): Summary {
  const main = ways.map(({ ran }) => ran.filter(({ flow }) => flow === 'main'));
  const begun = main.map((ran) => ran.filter(({ isEnd }) => isEnd === undefined));
  const files = inMost(begun, fileOf);
  const all = inMost(
    ways.map(({ ran }) => ran.filter(({ flow }) => flow === 'beside')),
    fileOf,
  );
  return {
    rooms: inMost(main.map(roomsOf), (room) => room),
    files,
    lines: files.reduce((sum, file) => sum + linesOf(join(root, file)), 0),
    functions: inMost(begun, ({ file, line }) => `${file}:${line}`).length,
    calls: median(begun.map((ran) => ran.length)),
    moves: median(
      begun.map((ran) => ran.filter(({ file }, place) => place > 0 && file !== ran[place - 1]?.file).length),
    ),
    beside: all.filter((file) => !files.includes(file)),
  };
}

const fileOf = ({ file }: Place): string => file;

function inMost<T>(ways: readonly (readonly T[])[], nameOf: (step: T) => string): string[] {
  const counts = new Map<string, number>();
  for (const way of ways) for (const name of new Set(way.map(nameOf))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > ways.length / 2).map(([name]) => name);
}

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
