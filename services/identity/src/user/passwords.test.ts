import { describe, expect, it } from '@jest/globals';
import { argon2id, passwords, type Hashing } from './passwords.ts';

/** Hashing that ends when it is told to. */
function held(): { hashing: Hashing; running: () => number; most: () => number; finish: () => void } {
  const open: (() => void)[] = [];
  let most = 0;
  const work = <T>(result: T): Promise<T> => {
    const done = new Promise<T>((resolve) => open.push(() => resolve(result)));
    most = Math.max(most, open.length);
    return done;
  };
  return {
    hashing: { hash: () => work('hash'), verify: () => work(true) },
    running: () => open.length,
    most: () => most,
    finish: () => open.shift()?.(),
  };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('passwords', () => {
  it('are hashed by argon2id with 19 MiB', async () => {
    const ours = passwords();
    const hash = await ours.hash('correct horse battery');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await ours.matches('correct horse battery', hash)).toBe(true);
    expect(await ours.matches('correct horse batteries', hash)).toBe(false);
    expect(await ours.matches('correct horse battery', undefined)).toBe(false);
  });

  it('are hashed and compared two at once at most, in the order in which they came', async () => {
    const { hashing, running, most, finish } = held();
    const ours = passwords(hashing);
    const ended: number[] = [];
    const asked = Array.from({ length: 9 }, (_, index) =>
      (index % 2 === 0 ? ours.hash('x') : ours.matches('x', 'hash')).then(() => ended.push(index)),
    );
    for (let count = 0; count < 20; count++) {
      await turn();
      expect(running()).toBeLessThanOrEqual(2);
      finish();
    }
    await Promise.all(asked);
    expect([most(), ended]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
  });

  it('are refused when too many wait, rather than kept waiting for ever', async () => {
    const { hashing, running, finish } = held();
    const ours = passwords(hashing);
    const waiting = Array.from({ length: 201 }, () => ours.hash('x')); // two run, one of them the one for nobody
    await expect(ours.hash('x')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'Retry-After': '5' },
    });
    while (running() > 0) {
      finish();
      await turn();
    }
    expect(await Promise.all(waiting)).toHaveLength(201);
  });

  it('are compared with a hash of the same cost whether or not there is one', async () => {
    const compared: string[] = [];
    const noting: Hashing = {
      ...argon2id,
      verify: (against, password) => {
        compared.push(against);
        return argon2id.verify(against, password);
      },
    };
    const ours = passwords(noting);
    const hash = await ours.hash('correct horse battery');
    for (const against of [hash, undefined]) expect(await ours.matches('a wrong password', against)).toBe(false);
    const costOf = (text: string): string => text.split('$').slice(0, 4).join('$');
    expect(compared.map(costOf)).toEqual([costOf(hash), costOf(hash)]);
    expect([compared[0] === hash, compared[1] === hash]).toEqual([true, false]);
  });
});
