import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sql } from '@messaging-gateway/service';
import type { TestService } from '@messaging-gateway/service/testing';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { testAudit } from '../testing/audit-service.ts';
import type { News } from './facts/fact.ts';
import { takeIn } from './facts/taking.ts';
import { counted, histories, newsOf, recounted } from './histories.fixture.ts';
import { rebuildViews } from './views/rebuilding.ts';

let service: TestService;
beforeAll(async () => {
  service = await testAudit();
});
afterAll(() => service.stop());

const now = Date.UTC(2026, 10, 24);

/** Manners of telling: some facts come twice, all in any order, and some at a time. */
const manners = fc.record({
  twice: fc.array(fc.nat(), { maxLength: 10 }),
  order: fc.array(fc.nat(), { minLength: 1, maxLength: 250 }),
  atOnce: fc.integer({ min: 1, max: 30 }),
  cut: fc.array(fc.nat(9), { maxLength: 3 }),
});

function shuffled(
  news: readonly News[],
  { twice, order }: { twice: readonly number[]; order: readonly number[] },
): News[] {
  const again = news.length === 0 ? [] : twice.map((place) => news[place % news.length] as News);
  return [...news, ...again]
    .map((one, index) => ({ one, key: (order[index % order.length] as number) ^ (index * 2_654_435_761) }))
    .toSorted((first, second) => first.key - second.key)
    .map(({ one }) => one);
}

/** As a process does that dies before it has committed: nothing of the batch is left. */
const cutOff = async (sql: Sql, batch: readonly News[]): Promise<void> => {
  const dying: Sql = {
    query: sql.query,
    transaction: (work) =>
      sql.transaction(async (inside) => {
        await work(inside);
        throw new Error('killed');
      }),
  };
  await expect(takeIn(dying, batch, now)).rejects.toThrow('killed');
};

const batchesOf = (news: readonly News[], atOnce: number): News[][] =>
  Array.from({ length: Math.ceil(news.length / atOnce) }, (_, index) =>
    news.slice(index * atOnce, (index + 1) * atOnce),
  );

describe('the count of messages', () => {
  it('is a recount of the history, in whatever order and however often it is told, cut off in the middle or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories(() => v7()),
        manners,
        async (history, manner) => {
          for (const [index, batch] of batchesOf(shuffled(newsOf(history), manner), manner.atOnce).entries()) {
            if (manner.cut.includes(index)) await cutOff(service.sql, batch);
            await takeIn(service.sql, batch, now);
          }
          const expected = recounted(history);
          expect(await counted(service.sql, history.organizationId)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is the same when replicas take it in at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories(() => v7()),
        manners,
        async (history, manner) => {
          const batches = batchesOf(shuffled(newsOf(history), manner), manner.atOnce);
          await Promise.all(
            [0, 1, 2].map(async (replica) => {
              for (const batch of batches.filter((_, index) => index % 3 === replica))
                await takeIn(service.sql, batch, now);
            }),
          );
          expect(await counted(service.sql, history.organizationId)).toEqual(recounted(history));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('is made anew from the facts, whatever stood there, while more is taken in', async () => {
    const [history] = fc.sample(
      histories(() => v7()),
      { numRuns: 1, seed: 7 },
    );
    const news = newsOf(history!);
    const half = Math.floor(news.length / 2);
    await takeIn(service.sql, news.slice(0, half), now);
    const { organizationId } = history!;
    for (const table of ['message_quarters', 'message_days', 'message_flow'])
      await service.sql.query(`DELETE FROM insights.${table} WHERE organization_id = $1`, [organizationId]);
    await service.sql.query('UPDATE insights.answers SET seconds = 1 WHERE organization_id = $1', [organizationId]);
    await service.sql.query('DELETE FROM insights.chats WHERE organization_id = $1', [organizationId]);
    await Promise.all([rebuildViews(service.sql), takeIn(service.sql, news.slice(half), now)]);
    expect(await counted(service.sql, organizationId)).toEqual(recounted(history!));
    await rebuildViews(service.sql);
    expect(await counted(service.sql, organizationId)).toEqual(recounted(history!));
  });
});
