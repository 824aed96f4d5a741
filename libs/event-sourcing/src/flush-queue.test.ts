import { describe, expect, it } from '@jest/globals';
import { FlushQueue } from './command-lanes.ts';

const anHour = 3_600_000;

/** A queue whose batches end at once, and what was handed on. */
function tried(): { queue: FlushQueue<string>; batches: string[][]; written(count: number): Promise<void> } {
  const batches: string[][] = [];
  let wake = (): void => undefined;
  const queue = new FlushQueue<string>(async (items) => {
    batches.push(items);
    wake();
  });
  const written = async (count: number): Promise<void> => {
    while (batches.flat().length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { queue, batches, written };
}

describe('group commit', () => {
  it('hands on at once while idle, and what came meanwhile together', async () => {
    const batches: string[][] = [];
    const ended = Promise.withResolvers<void>();
    const queue = new FlushQueue<string>(async (items) => {
      batches.push(items);
      if (batches.length === 1) {
        queue.add('b');
        queue.add('c');
      } else ended.resolve();
    });
    queue.add('a');
    await ended.promise;
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('goes on beside a batch that is slow', async () => {
    const batches: string[][] = [];
    const slow = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const queue = new FlushQueue<string>((items) => {
      batches.push(items);
      if (batches.length === 1) queue.add('b');
      else second.resolve();
      return batches.length === 1 ? slow.promise : Promise.resolve();
    });
    queue.add('a');
    await second.promise;
    expect(batches).toEqual([['a'], ['b']]);
    slow.resolve();
  });

  it('lets patient items go with the next batch', async () => {
    const { queue, batches, written } = tried();
    queue.add('a');
    await written(1);
    queue.add('patient', anHour);
    queue.add('b');
    await written(3);
    expect(batches).toEqual([['a'], ['patient', 'b']]);
  });

  it('hands patient items on when they may not wait any longer', async () => {
    const { queue, batches, written } = tried();
    queue.add('a');
    await written(1);
    queue.add('patient', anHour);
    queue.hurry(20);
    await written(2);
    queue.add('other', 20);
    await written(3);
    expect(batches).toEqual([['a'], ['patient'], ['other']]);
  });

  it('hands patient items on at once when nothing was written of late', async () => {
    const { queue, written } = tried();
    queue.add('patient', anHour);
    await written(1);
  });
});
