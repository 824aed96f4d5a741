import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationRequest } from '@messaging-gateway/contracts';
import { unseen } from '../operations.ts';
import { Refused } from '../refused.ts';
import { gate } from './collector.ts';
import { operationKillsSuite } from './operation-kills.suite.ts';
import { operationRoutesSuite } from './operation-routes.suite.ts';
import { codeOf, detailsOf, freshOperation, testRequest, type OperationsUnderTest } from './operations.harness.ts';

/** The promises of every operation bus. */
export function operationsSuite(adapter: string, open: () => Promise<OperationsUnderTest>): void {
  describe(`operations over ${adapter}`, () => {
    let under: OperationsUnderTest;
    const fresh = freshOperation;
    const request = (given: Partial<OperationRequest> = {}): OperationRequest => testRequest(under.clock, given);
    beforeAll(async () => void (under = await open()));
    afterAll(() => under.close());

    operationRoutesSuite(() => under);
    operationKillsSuite(() => under);

    it('carry everything there and back', async () => {
      const name = fresh();
      const caller = { organizationId: 'o', userId: 'u', permissions: ['message:send'], profileIds: ['p'] };
      const sent = request({
        caller,
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        params: { id: '1' },
        query: { limit: 5 },
        body: { text: 'Grüße 🙂', list: [1, null, true] },
        after: [{ id: 'e', type: 'test.happened' }],
        repeated: true,
        ip: '127.0.0.1',
      });
      let seen: OperationRequest | undefined;
      const stop = await under.serving.serve(name, async (asked) => {
        seen = asked;
        return { status: 202, body: { ok: 1 }, headers: { 'X-Test': '1' }, raised: [{ id: 'r', type: 'test.raised' }] };
      });
      const reply = await under.asking.request(name, sent);
      expect(seen).toEqual(sent);
      expect(reply).toEqual({
        status: 202,
        body: { ok: 1 },
        headers: { 'X-Test': '1' },
        raised: [{ id: 'r', type: 'test.raised' }],
      });
      await stop();
    });

    it('share nothing by reference', async () => {
      const name = fresh();
      const answer = { list: [1] };
      const stop = await under.serving.serve(name, async ({ body }) => {
        (body as { list: number[] }).list.push(2);
        return { status: 200, body: answer };
      });
      const sent = { list: [1], at: new Date(0), nothing: undefined };
      const { body } = await under.asking.request(name, request({ body: sent }));
      (body as typeof answer).list.push(3);
      expect(sent.list).toEqual([1]);
      expect(answer.list).toEqual([1]);
      await stop();
    });

    it('are refused at once when nobody serves them', async () => {
      expect(await codeOf(under.asking.request(fresh(), request({ deadline: under.clock.now() + 600_000 })))).toBe(
        'SERVICE_UNAVAILABLE',
      );
    });

    it('are given up at their deadline', async () => {
      const name = fresh();
      const { opened, open: finish } = gate();
      const stop = await under.serving.serve(name, () => opened.then(() => ({ status: 200 })));
      expect(await codeOf(under.asking.request(name, request({ deadline: under.clock.now() + 50 })))).toBe(
        'SERVICE_UNAVAILABLE',
      );
      finish();
      await stop();
    });

    it('are not carried out after their deadline', async () => {
      const name = fresh();
      let carriedOut = false;
      const stop = await under.serving.serve(name, async () => {
        carriedOut = true;
        return { status: 200 };
      });
      expect(await codeOf(under.asking.request(name, request({ deadline: under.clock.now() - 1 })))).toBe(
        'SERVICE_UNAVAILABLE',
      );
      await stop();
      expect(carriedOut).toBe(false);
    });

    it('say for certain when no owner has seen them', async () => {
      const name = fresh();
      expect(await detailsOf(under.asking.request(name, request()))).toEqual(unseen);
      expect(await detailsOf(under.asking.request(name, request(), { route: 'nobody' }))).toEqual(unseen);
      const { opened, open: finish } = gate();
      let isSeen = false;
      const stop = await under.serving.serve(name, () => {
        isSeen = true;
        return opened.then(() => ({ status: 200 }));
      });
      let details: unknown;
      // A request may be over on a busy machine before the owner gets it.
      for (let within = 30; !isSeen; within *= 2)
        details = await detailsOf(under.asking.request(name, request({ deadline: under.clock.now() + within })));
      expect(details).not.toEqual(unseen);
      finish();
      await stop();
    });

    it('tell a broken rule with code, message, details, headers and the events raised before', async () => {
      const name = fresh();
      const stop = await under.serving.serve(name, async () => {
        throw new Refused(
          'DAILY_LIMIT_REACHED',
          'Enough for today.',
          { count: 20, limit: 20 },
          { 'Retry-After': '60' },
          [{ id: 'event-1', type: 'thing.created' }],
        );
      });
      await expect(under.asking.request(name, request())).rejects.toMatchObject({
        name: 'Refused',
        code: 'DAILY_LIMIT_REACHED',
        message: 'Enough for today.',
        details: { count: 20, limit: 20 },
        headers: { 'Retry-After': '60' },
        raised: [{ id: 'event-1', type: 'thing.created' }],
      });
      await stop();
    });

    it('tell nothing of any other error', async () => {
      const name = fresh();
      const stop = await under.serving.serve(name, async () => {
        throw new Error('password=hunter2');
      });
      const failed = await under.asking.request(name, request()).catch((error: Refused) => error);
      expect(failed).toMatchObject({ code: 'INTERNAL_ERROR' });
      expect(JSON.stringify(failed) + (failed as Refused).message).not.toContain('hunter2');
      await stop();
    });

    it('in progress are finished by a stop, later ones find nobody', async () => {
      const name = fresh();
      const begun = gate();
      const { opened, open: finish } = gate();
      const stop = await under.serving.serve(name, async () => {
        begun.open();
        await opened;
        return { status: 200, body: 'finished' };
      });
      const asked = under.asking.request(name, request());
      await begun.opened;
      const stopped = stop();
      finish();
      await stopped;
      expect((await asked).body).toBe('finished');
      expect(await codeOf(under.asking.request(name, request()))).toBe('SERVICE_UNAVAILABLE');
    });

    it('get each its own answer, from one of several servers', async () => {
      const name = fresh();
      const served = { first: 0, second: 0 };
      const serving =
        (which: keyof typeof served) =>
        async ({ body }: OperationRequest) => {
          served[which] += 1;
          return { status: 200, body };
        };
      const stops = [
        await under.serving.serve(name, serving('first')),
        await under.serving.serve(name, serving('second')),
      ];
      const asked = Array.from({ length: 300 }, (_, n) => under.asking.request(name, request({ body: { n } })));
      expect((await Promise.all(asked)).map(({ body }) => (body as { n: number }).n)).toEqual(asked.map((_, n) => n));
      expect(served.first + served.second).toBe(300);
      expect(Math.min(served.first, served.second)).toBeGreaterThan(0);
      await Promise.all(stops.map((stop) => stop()));
    });
  });
}
