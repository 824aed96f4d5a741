import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CommandEnvelope } from '@messaging-gateway/contracts';
import { systemClock, Unavailable, type TestClock } from '@messaging-gateway/runtime';
import type { CommandQueue, RetryPolicy } from '../commands.ts';
import { listDeadLetters, putBackDeadLetters, type DeadLetterStore } from '../dead-letters.ts';
import type { ChildConsumer } from './child-consumer.ts';
import { Collector, gate } from './collector.ts';

/** A queue that lives on when its participants come and go. */
export interface CommandsUnderTest {
  readonly clock: TestClock;
  /** Another participant, as another process would be. It knows the commands `Command1` to `Command20` and `Slow`. */
  connect(): CommandQueue & { close(): Promise<void> };
  readonly deadLetters: DeadLetterStore;
  /** A process that consumes `Slow` of `outbound`: it prints each command's id as it begins. It finishes four. */
  child(): Promise<ChildConsumer>;
  close(): Promise<void>;
}

/** What every command queue must do. */
export function commandsSuite(adapter: string, open: () => Promise<CommandsUnderTest>): void {
  describe(`commands over ${adapter}`, () => {
    let under: CommandsUnderTest;
    let queue: ReturnType<CommandsUnderTest['connect']>;
    let names = 0;
    let noRetry: RetryPolicy;
    beforeAll(async () => {
      under = await open();
      noRetry = retryAfter();
      queue = under.connect();
    });
    afterAll(async () => {
      await queue.close();
      await under.close();
    });

    const retryAfter = (...delaysMs: number[]) => ({ delaysMs, home: under.deadLetters });
    const fresh = (): string => `Command${(names += 1)}`;
    const command = (name: string, id: string, key = 'key', given: Partial<CommandEnvelope> = {}): CommandEnvelope => ({
      id: `${name}-${id}`,
      name,
      key,
      data: { id },
      requestId: 'request-1',
      ...given,
    });
    const idOf = ({ data }: CommandEnvelope): string => (data as { id: string }).id;
    const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));
    const reasonsFor = async (name: string) =>
      (await listDeadLetters(under.deadLetters, 'outbound')).filter((letter) => letter.name === name);

    it('arrive with all that they carry', async () => {
      const name = fresh();
      const came = new Collector<CommandEnvelope>();
      const stop = await queue.handle('outbound', name, async (one) => came.add(one), noRetry);
      const sent = command(name, 'a', 'key', {
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        deadline: under.clock.now() + 60_000,
      });
      await queue.send('outbound', sent);
      expect(await came.until(1)).toEqual([sent]);
      await stop();
    });

    it('wait for a handler that comes later', async () => {
      const name = fresh();
      for (const id of numbers(3)) await queue.send('outbound', command(name, id));
      const came = new Collector<string>();
      const stop = await queue.handle('outbound', name, async (one) => came.add(idOf(one)), noRetry);
      expect(await came.until(3)).toEqual(numbers(3));
      await stop();
    });

    it('come in order for each key, and different keys at the same time', async () => {
      const name = fresh();
      const { opened, open: letGo } = gate();
      const came = new Collector<string>();
      const stop = await queue.handle(
        'outbound',
        name,
        async (one) => {
          if (one.key === 'slow') await opened;
          came.add(`${one.key} ${idOf(one)}`);
        },
        noRetry,
      );
      await Promise.all(
        ['slow', 'a', 'b'].map(async (key) => {
          for (const id of numbers(20))
            await queue.send('outbound', command(name, `${key}-${id}`, key, { data: { id } }));
        }),
      );
      await came.until(40);
      letGo();
      const all = await came.until(60);
      for (const key of ['slow', 'a', 'b'])
        expect(all.filter((line) => line.startsWith(key))).toEqual(numbers(20).map((id) => `${key} ${id}`));
      await stop();
    });

    it('that fail come again, hold up their own key only, and keep its order', async () => {
      const name = fresh();
      const came = new Collector<string>();
      let failures = 2;
      const stop = await queue.handle(
        'outbound',
        name,
        async (one) => {
          if (one.key === 'failing' && failures > 0) {
            failures -= 1;
            throw new Error('not yet');
          }
          came.add(`${one.key} ${idOf(one)}`);
        },
        retryAfter(3_600_000, 3_600_000),
      );
      for (const id of numbers(2)) await queue.send('outbound', command(name, `f${id}`, 'failing', { data: { id } }));
      for (const id of numbers(3)) await queue.send('outbound', command(name, `o${id}`, 'other', { data: { id } }));
      expect(await came.until(3)).toEqual(numbers(3).map((id) => `other ${id}`));
      const hours = setInterval(() => under.clock.advance(3_600_000), 20);
      expect((await came.until(5)).slice(3)).toEqual(['failing 0', 'failing 1']);
      clearInterval(hours);
      await stop();
    });

    it('that cannot be carried out become dead letters with their reason, and can be put back', async () => {
      const name = fresh();
      const came = new Collector<string>();
      const given = new Collector<string>();
      let broken = true;
      const stop = await queue.handle(
        'outbound',
        name,
        async (one) => {
          if (broken && idOf(one) === 'poison') throw new TypeError('cannot read it');
          came.add(idOf(one));
        },
        { ...retryAfter(1, 1), onGivenUp: (_, reason) => given.add(reason) },
      );
      await queue.send('outbound', command(name, 'poison'));
      await queue.send('outbound', command(name, 'next'));
      expect(await came.until(1)).toEqual(['next']);
      expect(await given.until(1)).toEqual(['TypeError: cannot read it']);
      const [letter] = await reasonsFor(name);
      expect(letter).toMatchObject({
        id: `${name}-poison`,
        consumer: 'outbound',
        key: 'key',
        reason: 'TypeError: cannot read it',
      });
      expect(letter?.envelope).toEqual(command(name, 'poison'));
      broken = false;
      expect(await putBackDeadLetters(under.deadLetters, [`${name}-poison`])).toBe(1);
      expect(await came.until(2)).toEqual(['next', 'poison']);
      while ((await reasonsFor(name)).length > 0) await systemClock.sleep(20);
      await stop();
    });

    it('whose deadline has passed become dead letters unseen', async () => {
      const name = fresh();
      const came = new Collector<string>();
      await queue.send('outbound', command(name, 'late', 'key', { deadline: under.clock.now() + 1_000 }));
      await queue.send('outbound', command(name, 'next'));
      under.clock.advance(2_000);
      const stop = await queue.handle('outbound', name, async (one) => came.add(idOf(one)), noRetry);
      expect(await came.until(1)).toEqual(['next']);
      expect((await reasonsFor(name)).map(({ reason }) => reason)).toEqual(['The deadline has passed.']);
      await stop();
    });

    it('are tried for ever while a part that they need is away', async () => {
      const name = fresh();
      const came = new Collector<string>();
      let tries = 0;
      const stop = await queue.handle(
        'outbound',
        name,
        async (one) => {
          tries += 1;
          if (tries < 5) throw new Unavailable('The database is away.');
          came.add(idOf(one));
        },
        noRetry,
      );
      await queue.send('outbound', command(name, 'a'));
      expect(await came.until(1)).toEqual(['a']);
      expect(await reasonsFor(name)).toEqual([]);
      await stop();
    });

    it('in progress are finished by a stop, the rest is left for the next consumer', async () => {
      const name = fresh();
      const begun = gate();
      const { opened, open: letGo } = gate();
      const came = new Collector<string>();
      const stop = await queue.handle(
        'outbound',
        name,
        async (one) => {
          begun.open();
          await opened;
          came.add(idOf(one));
        },
        noRetry,
      );
      for (const id of numbers(5)) await queue.send('outbound', command(name, id));
      await begun.opened;
      const stopped = stop();
      letGo();
      await stopped;
      expect(came.items).toEqual(['0']);
      const stopNext = await queue.handle('outbound', name, async (one) => came.add(idOf(one)), noRetry);
      expect(await came.until(5)).toEqual(numbers(5));
      await stopNext();
    });

    it('are carried out by one participant each', async () => {
      const name = fresh();
      const other = under.connect();
      const came = new Collector<string>();
      const stops = await Promise.all(
        [queue, other].map((one) => one.handle('outbound', name, async (given) => came.add(idOf(given)), noRetry)),
      );
      await Promise.all(numbers(200).map((id) => other.send('outbound', command(name, id, `key ${Number(id) % 7}`))));
      await came.until(200);
      await Promise.all(stops.map((stop) => stop()));
      expect(came.items.toSorted()).toEqual(numbers(200).toSorted());
      await other.close();
    });

    it('survive a kill -9 of the consumer in the middle, in order', async () => {
      const ids = numbers(30);
      for (const id of ids) await queue.send('outbound', command('Slow', id));
      const child = await under.child();
      const begun = await child.begun.until(5);
      await child.kill();
      const interrupted = begun.at(-1) as string;
      const came = new Collector<string>();
      const stop = await queue.handle('outbound', 'Slow', async (one) => came.add(idOf(one)), noRetry);
      await came.until((items) => items.includes('29'));
      await stop();
      const first = Number(came.items[0]);
      expect(first).toBeLessThanOrEqual(Number(interrupted));
      expect(came.items).toEqual(ids.slice(first));
    }, 180_000);
  });
}
