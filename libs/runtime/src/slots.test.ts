import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Slots } from './slots.ts';

/** Work that ends when it is told to, and notes when it begins. */
const workshop = (slots: Slots) => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    run: (name: string, of?: string, signal?: AbortSignal) =>
      slots.run(
        () => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        },
        { ...(of !== undefined && { of }), ...(signal !== undefined && { signal }) },
      ),
    end: async (name: string) => {
      ends.get(name)?.();
      await turn();
    },
  };
};

describe('slots', () => {
  it('let so many work at once, the others in their order', async () => {
    const { begun, run, end } = workshop(new Slots(2));
    for (const name of ['a', 'b', 'c', 'd']) void run(name);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('go by turns of those whose work it is', async () => {
    const { begun, run, end } = workshop(new Slots(1));
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void run(name, name.slice(0, 1));
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('are not all taken by one', async () => {
    const { begun, run, end } = workshop(new Slots(2, 1));
    for (const name of ['a1', 'a2', 'b1', 'b2']) void run(name, name.slice(0, 1));
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2']);
  });

  it('are not waited for longer than the signal allows', async () => {
    const { begun, run, end } = workshop(new Slots(1));
    const giveUp = new AbortController();
    void run('a');
    const waiting = run('b', undefined, giveUp.signal);
    void run('c');
    giveUp.abort(new Error('Too late.'));
    await expect(waiting).rejects.toThrow('Too late.');
    await expect(run('d', undefined, giveUp.signal)).rejects.toThrow('Too late.');
    await end('a');
    expect(begun).toEqual(['a', 'c']);
  });
});
