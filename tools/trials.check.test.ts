import { existsSync, globSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { isAffected, trials } from './trials.ts';

const roots = '{contracts,infra,libs,services,tools}';

it('lists every trial once', () => {
  const found = globSync(`${roots}/**/*.trial.test.ts`, { exclude: ['**/node_modules'] });
  expect(trials.map(({ file }) => file).toSorted()).toEqual(found.toSorted());
});

it('names paths that exist', () => {
  const paths = trials.flatMap((trial) => trial.paths);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it('connects a trial with its own file, with what its paths contain, and not with other tests', () => {
  const trial = { file: 'a/b.trial.test.ts', paths: ['a', 'c/d.ts'] };
  const affecting = [['a/b.trial.test.ts'], ['a/e/f.ts'], ['x', 'c/d.ts']];
  expect(affecting.map((changed) => isAffected(trial, changed))).toEqual([true, true, true]);
  const others = [[], ['a/other.test.ts'], ['ab/c.ts'], ['c/d.tsx']];
  expect(others.map((changed) => isAffected(trial, changed))).toEqual([false, false, false, false]);
});
