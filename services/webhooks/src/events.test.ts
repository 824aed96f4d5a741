import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReadEvents, type Caller, type EventEnvelope } from '@messaging-gateway/contracts';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { openDatabase, type ServiceDatabase } from '@messaging-gateway/service';
import { silentLogger } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import * as fc from 'fast-check';
import { v7 } from 'uuid';
import { webhooks } from './index.ts';
import { readLog } from './log/event-log.ts';
import { Intake } from './log/intake.ts';
import { eventually, tellMany, tellSent, testWebhooks } from './testing/webhooks-service.ts';

interface Answer {
  items: { id: string; event: string; profileId: string | null }[];
  nextCursor: string;
}
const dayMs = 86_400_000;

describe('GET /events', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testWebhooks();
  });
  afterAll(() => service.stop());
  const read = async (caller: Caller, query: Record<string, unknown> = {}): Promise<Answer> =>
    (await service.call(ReadEvents, { caller, query })).body as Answer;
  const ids = ({ items }: Answer): string[] => items.map(({ id }) => id);

  it('shows the events of the organization, page by page, as webhooks get them', async () => {
    const [caller, stranger] = [testCaller(), testCaller()];
    const told = (await tellMany(service, caller, 5)).map(({ id }) => id);
    await tellSent(service, stranger);
    const first = await read(caller, { limit: 3 });
    expect(first.items[0]).toEqual({
      id: told[0],
      event: 'message.sent',
      timestamp: expect.any(String),
      profileId: expect.any(String),
      data: expect.any(Object),
    });
    const second = await read(caller, { after: first.nextCursor, limit: 3 });
    const third = await read(caller, { after: second.nextCursor, limit: 3 });
    expect([ids(first), ids(second), ids(third)]).toEqual([told.slice(0, 3), told.slice(3), []]);
    await tellSent(service, caller);
    expect((await read(caller, { after: third.nextCursor })).items).toHaveLength(1);
  });

  it('goes on after an event, and from now on', async () => {
    const caller = testCaller();
    const told = (await tellMany(service, caller, 3)).map(({ id }) => id);
    expect(ids(await read(caller, { after: told[0] }))).toEqual(told.slice(1));
    const latest = await read(caller, { after: 'latest' });
    expect(latest.items).toEqual([]);
    const { id } = await tellSent(service, caller);
    expect(ids(await read(caller, { after: latest.nextCursor }))).toEqual([id]);
    await expect(read(testCaller(), { after: told[0] })).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  });

  it('shows the newest first, and goes back from there', async () => {
    const [caller, stranger] = [testCaller(), testCaller()];
    const told = (await tellMany(service, caller, 5)).map(({ id }) => id);
    await tellSent(service, stranger);
    const back = told.toReversed();
    const first = await read(caller, { before: 'latest', limit: 3 });
    await tellSent(service, caller);
    const second = await read(caller, { before: first.nextCursor, limit: 3 });
    const third = await read(caller, { before: second.nextCursor, limit: 3 });
    expect([ids(first), ids(second), ids(third)]).toEqual([back.slice(0, 3), back.slice(3), []]);
    expect(ids(await read(caller, { before: told[1] }))).toEqual([told[0]]);
    expect(await read(testCaller(), { before: 'latest' })).toMatchObject({ items: [] });
    // Of another organization, or gone: nothing is known to have been before it.
    expect(ids(await read(stranger, { before: told[1] }))).toEqual([]);
    const profileId = v7();
    const { id } = await tellSent(service, caller, profileId);
    expect(ids(await read({ ...caller, profileIds: [profileId] }, { before: 'latest' }))).toEqual([id]);
    for (const query of [{ before: 'nonsense' }, { before: 'latest', after: 'latest' }, { before: 'latest', wait: 1 }])
      await expect(read(caller, query)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'query.before' }],
      });
  });

  it('skips nothing for a reader who has read further than a database that was restored', async () => {
    const caller = testCaller();
    await tellMany(service, caller, 3);
    const { nextCursor } = await read(caller);
    for (const table of ['event_log', 'log_heads'])
      await service.sql.query(`DELETE FROM ${table} WHERE organization_id = $1`, [caller.organizationId]);
    const { id } = await tellSent(service, caller);
    expect(ids(await read(caller, { after: nextCursor }))).toEqual([id]);
  });

  it('waits for the next event when asked to', async () => {
    const caller = testCaller();
    const waiting = read(caller, { wait: 30 });
    await tellSent(service, testCaller());
    const { id } = await tellSent(service, caller);
    expect(ids(await waiting)).toEqual([id]);
  });

  it('answers without events when the wait is over', async () => {
    const caller = testCaller();
    const waiting = read(caller, { wait: 25 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    service.clock.advance(26_000);
    expect((await waiting).items).toEqual([]);
  });

  it('names a cursor that is none', async () => {
    for (const query of [{ after: 'nonsense' }, { wait: 31 }, { limit: 0 }]) {
      await expect(read(testCaller(), query)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: `query.${Object.keys(query)[0]}` }],
      });
    }
  });

  it('shows a key limited to some profiles what concerns these', async () => {
    const caller = testCaller();
    const profileId = v7();
    await tellSent(service, caller);
    const { id } = await tellSent(service, caller, profileId);
    await tellSent(service, caller);
    const seen = await read({ ...caller, profileIds: [profileId] });
    expect(ids(seen)).toEqual([id]);
    expect((await read({ ...caller, profileIds: [profileId] }, { after: seen.nextCursor })).items).toEqual([]);
  });

  it('keeps events for a week, and says to who has been away for longer that some are gone', async () => {
    const [caller, quiet] = [testCaller(), testCaller()];
    const { nextCursor: before } = await read(caller);
    const older = await tellSent(service, caller);
    const { nextCursor: between } = await read(caller);
    const old = await tellSent(service, caller);
    const { nextCursor: behind } = await read(caller);
    await tellSent(service, quiet);
    const { nextCursor: awaited } = await read(quiet);
    const partitions = (): Promise<object[]> =>
      service.sql.query(`SELECT relname FROM pg_class WHERE relname ~ '^event_log_\\d{8}$' AND relkind = 'r'`);
    service.clock.advance(3 * dayMs);
    const young = await tellSent(service, caller);
    expect(ids(await read(caller))).toEqual([older.id, old.id, young.id]);
    service.clock.advance(5.5 * dayMs);
    await eventually(
      () => read(caller),
      (answer) => ids(answer).length === 1,
    );
    expect(ids(await read(caller))).toEqual([young.id]);
    expect((await partitions()).length).toBeGreaterThan(3);
    for (const after of [before, between, older.id])
      await expect(read(caller, { after })).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
    // Who had read all that is gone has missed nothing.
    for (const after of [behind, old.id]) expect(ids(await read(caller, { after }))).toEqual([young.id]);
    expect(ids(await read(quiet, { after: awaited }))).toEqual([]);
  });
});

describe('the log under concurrent writers', () => {
  let database: TestDatabase;
  const replicas: ServiceDatabase[] = [];
  const migrations = [...webhooks.migrations];
  beforeAll(async () => {
    database = await testDatabase();
    for (let n = 0; n < 3; n++) {
      replicas.push(
        await openDatabase({
          url: database.url,
          schema: 'webhooks',
          migrations,
          log: silentLogger,
          connections: 4,
        }),
      );
    }
  });
  afterAll(async () => {
    for (const one of replicas) await one.close();
    await database.drop();
  });

  const intakeOn = ({ sql }: ServiceDatabase): Intake =>
    new Intake({
      sql,
      now: () => Date.now(),
      claimant: () => ({ dispatcherId: undefined, full: [], lapses: 0 }),
      onLogged: () => undefined,
      onBroken: () => undefined,
    });
  const eventOf = (organizationId: string): EventEnvelope => ({
    id: v7(),
    type: 'message.sent',
    version: 1,
    source: 'outbound',
    organizationId,
    key: organizationId,
    sequence: '0',
    time: new Date().toISOString(),
    data: {},
  });

  it('is read without a gap and without a repeat', async () => {
    const shape = fc.record({
      organizations: fc.integer({ min: 1, max: 3 }),
      writers: fc.array(
        fc.record({ replica: fc.nat(2), events: fc.integer({ min: 1, max: 15 }), repeated: fc.boolean() }),
        { minLength: 2, maxLength: 8 },
      ),
      limit: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ organizations, writers, limit }) => {
        const owners = Array.from({ length: organizations }, () => v7());
        const written = new Map(owners.map((owner) => [owner, [] as string[]]));
        let writing = true;
        const writes = writers.map(async ({ replica, events, repeated }) => {
          for (let n = 0; n < events; n++) {
            const event = eventOf(owners[n % organizations] as string);
            written.get(event.organizationId)?.push(event.id);
            // Each write comes from an intake of its own, so that their statements meet in the database.
            const intake = intakeOn(replicas[replica] as ServiceDatabase);
            await Promise.all([
              intake.take(event),
              ...(repeated ? [intakeOn(replicas[0] as ServiceDatabase).take(event)] : []),
            ]);
          }
        });
        const reads = owners.map(async (organizationId) => {
          const seen: string[] = [];
          let after = 0n;
          for (let last = false; ; last = !writing) {
            const page = await readLog((replicas[0] as ServiceDatabase).sql, { organizationId }, after, limit);
            seen.push(...page.bodies.map((body) => (JSON.parse(body) as { id: string }).id));
            if (last && page.next === after) return seen;
            after = page.next;
          }
        });
        await Promise.all(writes);
        writing = false;
        const seen = await Promise.all(reads);
        seen.forEach((found, index) =>
          expect(found.toSorted()).toEqual(written.get(owners[index] as string)?.toSorted()),
        );
      }),
      { numRuns: 25 },
    );
  });
});
