import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, testRabbitMq, type TestRabbitMq } from '@messaging-gateway/testing';
import * as fc from 'fast-check';
import { unseen } from '../operations.ts';
import type { Refused } from '../refused.ts';
import type { RabbitMq } from './open-rabbitmq.ts';
import { connected, participant, testRequest } from './opened.fixture.ts';

let attempts = 0;

describeWith('rabbitmq', 'the routes of one owner', () => {
  let broker: TestRabbitMq;
  let asking: RabbitMq;
  let one: RabbitMq;
  let other: RabbitMq;
  beforeAll(async () => {
    broker = await testRabbitMq();
    const open = () => connected(participant(broker.url, { ownerOf: () => 'sessions' }));
    [asking, one, other] = await Promise.all([open(), open(), open()]);
  });
  afterAll(async () => {
    await Promise.all([asking, one, other].map((rabbitMq) => rabbitMq.close()));
    await broker.drop();
  });

  const operations = ['Deliver', 'Settle', 'Steer'];
  const routes = Array.from({ length: 30 }, (_, n) => `profile-${n}`);
  const serveAll = (by: RabbitMq, body: string) =>
    Promise.all(
      routes.flatMap((route) =>
        operations.map((operation) => by.operations.serve(operation, async () => ({ status: 200, body }), route)),
      ),
    );
  const askAll = async (): Promise<Set<unknown>> => {
    const asked = routes.flatMap((route) =>
      operations.map(async (operation) =>
        asking.operations.request(operation, testRequest({}), { route }).then(
          ({ body }) => body,
          (error: Error) => error.message,
        ),
      ),
    );
    return new Set(await Promise.all(asked));
  };

  it('are held by one process for all of its operations, bound once, and taken over together', async () => {
    const stops = await serveAll(one, 'one');
    expect(await askAll()).toEqual(new Set(['one']));
    const bindings = (await (
      await broker.manage('GET', `/api/exchanges/${broker.virtualHost}/routes/bindings/source`)
    ).json()) as unknown[];
    expect(bindings).toHaveLength(routes.length);
    const stopsOfOther = await serveAll(other, 'other');
    expect(await askAll()).toEqual(new Set(['other']));
    await Promise.all(stops.map((stop) => stop()));
    expect(await askAll()).toEqual(new Set(['other']));
    const stopsAgain = await serveAll(one, 'one again');
    await Promise.all(stopsOfOther.map((stop) => stop()));
    expect(await askAll()).toEqual(new Set(['one again']));
    await Promise.all(stopsAgain.map((stop) => stop()));
  });

  it('are with the last process that began to serve them, or with nobody, whoever comes and goes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ who: fc.constantFrom(0, 1, 2), serves: fc.boolean() }), { maxLength: 12 }),
        async (steps) => {
          const stops = new Map<number, () => Promise<void>>();
          const route = `route-${(attempts += 1)}`;
          let holder: number | undefined;
          for (const { who, serves } of steps) {
            await stops.get(who)?.();
            stops.delete(who);
            if (holder === who) holder = undefined;
            if (serves) {
              const by = [asking, one, other][who] as RabbitMq;
              stops.set(who, await by.operations.serve('Deliver', async () => ({ status: 200, body: who }), route));
              holder = who;
            }
            const answer = await asking.operations.request('Deliver', testRequest({}), { route }).then(
              ({ body }) => body,
              (error: Refused) => error.details,
            );
            expect(answer).toEqual(holder ?? unseen);
          }
          await Promise.all([...stops.values()].map((stop) => stop()));
        },
      ),
      { numRuns: 25 },
    ));
});
