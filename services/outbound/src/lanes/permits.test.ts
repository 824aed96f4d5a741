import { describe, expect, it } from '@jest/globals';
import { Permits } from './permits.ts';

describe('permits', () => {
  it('let so many in at the same time, the others in order, and count a return once', async () => {
    const permits = new Permits(2);
    const [first, second] = [await permits.take(), await permits.take()];
    const entered: string[] = [];
    const third = permits.take().then((giveBack) => {
      entered.push('third');
      return giveBack;
    });
    const fourth = permits.take().then(() => entered.push('fourth'));
    await Promise.resolve();
    expect(entered).toEqual([]);
    first();
    first();
    const giveBackThird = await third;
    expect(entered).toEqual(['third']);
    second();
    await fourth;
    giveBackThird();
    expect(entered).toEqual(['third', 'fourth']);
  });
});
