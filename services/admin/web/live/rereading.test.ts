import { expect, it } from '@jest/globals';
import { Rereading } from './rereading.ts';

it('reads once what many ask for, and what is asked for meanwhile once more after that', async () => {
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read: (readonly string[])[] = [];
  const rereading = new Rereading<string>((names) => {
    const at = read.push(names) - 1;
    begun[at]?.resolve();
    return answers[at]?.promise ?? Promise.resolve();
  });
  rereading.ask('a', 'b');
  rereading.ask('a');
  await begun[0]?.promise;
  for (let events = 0; events < 1_000; events += 1) rereading.ask('b');
  expect(read).toEqual([['a', 'b']]);
  answers[0]?.resolve();
  await begun[1]?.promise;
  expect(read).toEqual([['a', 'b'], ['b']]);
  rereading.end();
  answers[1]?.resolve();
});
