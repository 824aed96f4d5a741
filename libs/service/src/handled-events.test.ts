import { describe, expect, it } from '@jest/globals';
import { HandledEvents } from './bindings.ts';

describe('events that were handled', () => {
  const mark = (id: string, type = 'taken') => ({ id, type });
  const settledNow = async (waiting: Promise<boolean>): Promise<boolean> => {
    let settled = false;
    void waiting.then(() => (settled = true));
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    return settled;
  };

  it('need no waiting, nor do kinds that the service does not take', async () => {
    const handled = new HandledEvents(['taken']);
    handled.add('a');
    expect(await settledNow(handled.settled([mark('a'), mark('x', 'other')]))).toBe(true);
  });

  it('are waited for, all of them', async () => {
    const handled = new HandledEvents(['taken']);
    const waiting = handled.settled([mark('a'), mark('b')]);
    handled.add('a');
    expect(await settledNow(waiting)).toBe(false);
    handled.add('b');
    expect(await settledNow(waiting)).toBe(true);
  });

  it('are waited for whatever they are when nobody knows their kind, and as long as is asked for', async () => {
    const handled = new HandledEvents(['taken']);
    const waiting = handled.settled([{ id: 'a', waitMs: 600_000 }]);
    expect(await settledNow(waiting)).toBe(false);
    handled.add('a');
    await waiting;
    expect(await handled.settled([{ id: 'never', waitMs: 1 }])).toBe(false);
  });

  it('are not waited for longer than a second', async () => {
    await new HandledEvents(['taken']).settled([mark('never')]);
  });

  it('need no waiting when another replica has handled them, and are told to the others while somebody may wait', async () => {
    const told: string[] = [];
    let hear: (id: string) => void = () => undefined;
    const handled = new HandledEvents(['taken'], {
      tell: (id) => void told.push(id),
      onHeard: (listener) => (hear = listener),
    });
    const waiting = handled.settled([mark('elsewhere')]);
    hear('elsewhere');
    expect(await settledNow(waiting)).toBe(true);
    handled.add('here', 20);
    handled.add('old', 60_000);
    expect(told).toEqual(['here']);
  });

  it('are remembered for a while, and not for ever', async () => {
    const handled = new HandledEvents(['taken']);
    for (let n = 0; n < 25_000; n++) handled.add(String(n));
    expect(await settledNow(handled.settled([mark('24999'), mark('15001')]))).toBe(true);
    expect(await settledNow(handled.settled([mark('1')]))).toBe(false);
  });
});
