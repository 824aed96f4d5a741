import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Audience } from './audience.ts';
import { broadcastsTest, people, type BroadcastsTest } from './broadcasts.fixture.ts';
import { together } from './together.ts';

let test: BroadcastsTest;
beforeAll(async () => void (test = await broadcastsTest()));
beforeEach(() => test.others.begin());
afterAll(() => test.stop());

/** A broadcast that everybody has got. */
async function completed(count: number): Promise<{ id: string; messages: BroadcastsTest['others']['accepted'] }> {
  const { others } = test;
  others.begin();
  others.audience = people(count);
  const { id } = await test.create();
  await test.start(id);
  await test.passUntil(test.isOver(id));
  return { id, messages: [...others.accepted] };
}

describe('news told at the same moment', () => {
  it('counts for each recipient once, of the same message and of the same broadcast too', async () => {
    const both = [await completed(12), await completed(7)];
    const all = both.flatMap(({ messages }) => messages);
    const news = all.flatMap((one) => [
      test.status(one, 'delivered'),
      test.status(one, 'read'),
      test.settle(one),
      test.status(one, 'delivered'),
      test.status(one, 'played'),
    ]);
    await Promise.all(news);
    for (const [place, count] of [12, 7].entries())
      expect((await test.get(both[place]?.id ?? '')).stats).toMatchObject({
        total: count,
        sent: count,
        delivered: count,
        read: count,
        pending: 0,
      });
  });

  it('waits for nothing that is being done with another broadcast', async () => {
    const { service } = test;
    const [held, free] = [await completed(2), await completed(2)];
    const audience = new Audience(service.sql, service.clock);
    const tell = ({ messages }: typeof held, place: number) =>
      audience.settle(messages[place]?.messageId ?? '', { receipt: 2, at: service.clock.now() });
    let later: Promise<unknown> = Promise.resolve();
    await service.sql.transaction(async (sql) => {
      await sql.query('SELECT FROM broadcasts WHERE broadcast_id = $1 FOR UPDATE', [held.id]);
      later = Promise.all([tell(held, 0), tell(held, 1)]);
      await Promise.all([tell(free, 0), tell(free, 1)]);
      expect((await test.get(free.id)).stats).toMatchObject({ delivered: 2, read: 2 });
      expect((await test.get(held.id)).stats).toMatchObject({ delivered: 0, read: 0 });
    });
    await later;
    expect((await test.get(held.id)).stats).toMatchObject({ delivered: 2, read: 2 });
  });

  it('keeps nobody else from being released', async () => {
    const { others, service } = test;
    const { id: held } = await test.create();
    const { id: free } = await test.create();
    others.outcome = () => 'silent';
    await test.start(held);
    await test.passUntil(() => others.accepted.length === 1);
    others.outcome = () => 'sent';
    await service.sql.transaction(async (sql) => {
      await sql.query('SELECT FROM broadcasts WHERE broadcast_id = $1 FOR UPDATE', [held]);
      const audience = new Audience(service.sql, service.clock);
      await test.start(free);
      const [first] = await service.sql.query<{ place: number }>(
        `SELECT place FROM audience WHERE broadcast_id = $1 AND status = 'pending' LIMIT 1`,
        [held],
      );
      const now = service.clock.now();
      const turn = { broadcastId: held, place: first?.place ?? 0, pauseMs: 0, now, lookAt: now };
      const waiting = audience.release(turn);
      await test.passUntil(async () => (await test.get(free)).status === 'completed');
      void waiting.catch(() => undefined);
    });
    // Something else of it is on its way already.
    expect(await test.recipients(held, { status: 'sent' })).toEqual([]);
    await test.settle(others.accepted[0] as never);
    await test.passUntil(test.isOver(held));
  });
});

describe('items that are written together', () => {
  it('are in one statement unless they have the same key, and each has its own result', async () => {
    const written: string[][] = [];
    const all = together<string, string>(
      (item) => item[0] ?? '',
      async (items) => {
        written.push([...items]);
        return items.map((item) => item.toUpperCase());
      },
    );
    const results = await Promise.all(['a1', 'b1', 'a2', 'c1', 'a3', 'b2'].map((item) => all.add(item)));
    expect(results).toEqual(['A1', 'B1', 'A2', 'C1', 'A3', 'B2']);
    expect(written).toEqual([['a1', 'b1', 'c1'], ['a2', 'b2'], ['a3']]);
  });
});
