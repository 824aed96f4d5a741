import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EraseInsightsData, GetAuditSummary, ListAuditActions, ReadInsightsData } from '@messaging-gateway/contracts';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { entriesOf, tellChange, testAudit } from '../testing/audit-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testAudit();
});
afterAll(() => service.stop());

describe('entries of the audit', () => {
  it('say who did what to what, from where and in which request', async () => {
    const caller = testCaller();
    const profileId = v7();
    const id = await tellChange(service, caller, {
      profileId,
      requestId: 'a request',
      resource: { type: 'profile', id: profileId },
      more: { fields: ['name'] },
    });
    expect((await entriesOf(service, caller)).items).toEqual([
      {
        id,
        action: 'profile.create',
        actor: { type: 'user', id: caller.userId, name: 'Ada' },
        resourceType: 'profile',
        resourceId: profileId,
        metadata: { fields: ['name'] },
        ip: '192.0.2.1',
        userAgent: 'curl',
        requestId: 'a request',
        timestamp: new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString(),
      },
    ]);
  });

  it('are made whatever a client calls itself and its request', async () => {
    const caller = testCaller();
    const names = ['\\u0000', 'a\\\\u0000', 'a\\u0000\u0000b', '\\ud800'];
    const ids: string[] = [];
    for (const name of names) ids.push(await tellChange(service, caller, { userAgent: name, requestId: name }));
    const { items } = await entriesOf(service, caller);
    const kept = ['\\u0000', 'a\\\\u0000', 'a\\u0000\ufffdb', '\\ud800'];
    expect(items.map(({ id, userAgent, requestId }) => [id, userAgent, requestId]).toReversed()).toEqual(
      kept.map((name, index) => [ids[index], name, name]),
    );
  });

  it('are one for each request, however many events tell of it and however often they come', async () => {
    const caller = testCaller();
    const id = await tellChange(service, caller, { resource: { type: 'user', id: v7() } });
    await tellChange(service, caller, { id, resource: { type: 'session', id: v7() } });
    await Promise.all(Array.from({ length: 20 }, () => tellChange(service, caller, { id })));
    const { items } = await entriesOf(service, caller);
    expect(items.map((entry) => [entry.id, entry.resourceType])).toEqual([[id, 'user']]);
  });

  it('are paged by key, the newest first, and nothing is doubled or left out when more come meanwhile', async () => {
    const caller = testCaller();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      ids.unshift(await tellChange(service, caller));
      service.clock.advance(1);
    }
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await entriesOf(service, caller, { limit: 5, ...(cursor && { cursor }) });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      await tellChange(service, caller);
      service.clock.advance(1);
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    await expect(entriesOf(service, caller, { cursor: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('are found by actor, action, resource and time', async () => {
    const caller = testCaller();
    const key = { ...caller, apiKeyId: v7() };
    const begun = new Date(service.clock.now()).toISOString();
    const webhook = { type: 'webhook', id: v7() };
    const first = await tellChange(service, caller, { action: 'webhook.create', resource: webhook });
    service.clock.advance(60_000);
    const middle = new Date(service.clock.now()).toISOString();
    const second = await tellChange(service, key, { action: 'webhook.delete', resource: webhook });
    service.clock.advance(60_000);
    const idsBy = async (query: Record<string, unknown>) =>
      (await entriesOf(service, caller, query)).items.map(({ id }) => id);
    expect(await idsBy({ actor: key.apiKeyId })).toEqual([second]);
    expect(await idsBy({ actor: caller.userId })).toEqual([first]);
    expect(await idsBy({ action: 'webhook.create' })).toEqual([first]);
    expect(await idsBy({ resourceType: 'webhook', resourceId: webhook.id })).toEqual([second, first]);
    expect(await idsBy({ resourceType: 'profile' })).toEqual([]);
    expect(await idsBy({ from: begun, to: middle })).toEqual([first]);
    expect(await idsBy({ from: middle })).toEqual([second]);
    expect(await idsBy({ action: 'webhook.delete', actor: caller.userId })).toEqual([]);
  });

  it('are those of the own organization, and for a key those of the profiles that it is limited to', async () => {
    const [caller, stranger] = [testCaller(), testCaller()];
    const [mine, other] = [v7(), v7()];
    const id = await tellChange(service, caller, { profileId: mine });
    await tellChange(service, caller, { profileId: other });
    await tellChange(service, caller);
    expect((await entriesOf(service, stranger)).items).toEqual([]);
    expect((await entriesOf(service, caller)).items).toHaveLength(3);
    const limited = { ...caller, profileIds: [mine] };
    expect((await entriesOf(service, limited)).items.map((entry) => entry.id)).toEqual([id]);
    const { body } = await service.call(GetAuditSummary, { caller: limited });
    expect(body).toMatchObject({ total: 1 });
    expect((await entriesOf(service, { ...caller, profileIds: [] })).items).toEqual([]);
  });

  it('are counted by action, by actor and by day', async () => {
    const caller = testCaller();
    const key = { ...caller, apiKeyId: v7() };
    // At noon: all on one day.
    const dayMs = 86_400_000;
    service.clock.advance(1.5 * dayMs - (service.clock.now() % dayMs));
    for (let n = 0; n < 3; n += 1) await tellChange(service, caller, { action: 'message.send' });
    await tellChange(service, key);
    const day = new Date(service.clock.now()).toISOString().slice(0, 10);
    const { body } = await service.call(GetAuditSummary, { caller });
    expect(body).toEqual({
      total: 4,
      byAction: [
        { action: 'message.send', count: 3 },
        { action: 'profile.create', count: 1 },
      ],
      byActor: [
        { actor: { type: 'user', id: caller.userId, name: 'Ada' }, count: 3 },
        { actor: { type: 'api_key', id: key.apiKeyId, name: 'Robot' }, count: 1 },
      ],
      daily: [{ date: day, count: 4 }],
    });
    const { body: before } = await service.call(GetAuditSummary, { caller, query: { to: '2000-01-01T00:00:00.000Z' } });
    expect(before).toEqual({ total: 0, byAction: [], byActor: [], daily: [] });
  });

  it('name only actions that are in the catalogue', async () => {
    const { body } = await service.call(ListAuditActions, { caller: testCaller() });
    const { items } = body as { items: { key: string; category: string; description: string }[] };
    expect(items).toContainEqual({ key: 'webhook.create', category: 'webhook', description: 'Create a webhook' });
    expect(items.map(({ key }) => key)).toEqual(items.map(({ key }) => key).toSorted());
  });
});

describe('the audit of a person', () => {
  it('can be read, and is erased for good', async () => {
    const [caller, colleague] = [testCaller(), testCaller()];
    const whose = { organizationId: caller.organizationId, userId: caller.userId, wholeOrganization: false };
    await tellChange(service, caller);
    await tellChange(service, { ...colleague, organizationId: caller.organizationId });
    const { items } = await service.ask(ReadInsightsData, whose);
    expect(items).toMatchObject([{ section: 'audit', item: { action: 'profile.create', ip: '192.0.2.1' } }]);
    await service.ask(EraseInsightsData, whose);
    await service.ask(EraseInsightsData, whose);
    // Told before, and come late.
    await tellChange(service, caller);
    const left = (await entriesOf(service, caller)).items.map(({ actor, ip, userAgent }) => [actor.id, ip, userAgent]);
    expect(left).toEqual([
      [caller.userId, null, null],
      [colleague.userId, '192.0.2.1', 'curl'],
      [caller.userId, null, null],
    ]);
  });

  it('goes with its organization', async () => {
    const caller = testCaller();
    await tellChange(service, caller);
    const { organizationId, userId } = caller;
    await service.ask(EraseInsightsData, { organizationId, userId, wholeOrganization: true });
    expect((await entriesOf(service, caller)).items).toEqual([]);
  });
});
