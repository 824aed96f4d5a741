import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CreateFlow,
  DeleteFlow,
  EraseAutomationData,
  GetFlow,
  GetFlowStats,
  ListFlows,
  ProfileDeleted,
  ReadAutomationData,
  ReorderFlows,
  TestFlow,
  ToggleFlow,
  UpdateFlow,
} from '@messaging-gateway/contracts';
import { testCaller, type CallOptions } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { flowsTest, type FlowsTest } from './flows.fixture.ts';
import type { ShownFlow } from './shown.ts';

let test: FlowsTest;
beforeAll(async () => {
  test = await flowsTest();
});
afterAll(() => test.stop());

const hello = { type: 'send', message: { type: 'text', text: 'Hello {{name|friend}}' } };
const body = (given: object = {}): object => ({
  profileId: v7(),
  name: 'Prices',
  trigger: { type: 'keyword', value: ['price'] },
  actions: [hello],
  ...given,
});
const make = (given: object = {}, options: CallOptions = {}): Promise<ShownFlow> =>
  test.ask(CreateFlow, { body: body(given), ...options });
const at = ({ id }: { id: string }) => ({ params: { id } });
const change = (flow: ShownFlow, given: object, options: CallOptions = {}): Promise<ShownFlow> =>
  test.ask(UpdateFlow, { ...at(flow), body: given, ...options });
const list = async (query: Readonly<Record<string, unknown>>, options: CallOptions = {}) =>
  test.ask<{ items: ShownFlow[]; total: number; nextCursor: string | null }>(ListFlows, { query, ...options });
const refusal = (given: object) => test.refusal(CreateFlow, { body: body(given) });

describe('a flow', () => {
  it('is answered with its defaults, and as it was written', async () => {
    const made = await make({ action: hello, actions: undefined });
    expect(made).toMatchObject({
      name: 'Prices',
      trigger: { type: 'keyword', value: ['price'] },
      conditions: [],
      action: hello,
      actions: [hello],
      enabled: true,
      continue: false,
      groups: false,
      hasSecret: false,
      cooldownSeconds: 0,
      priority: 1,
    });
    expect(await test.ask<ShownFlow>(GetFlow, at(made))).toEqual(made);
    const steps = [{ type: 'webhook', url: 'https://example.com/x' }, { type: 'ai_reply' }, { type: 'stop' }];
    const { actions, action } = await make({ actions: steps });
    expect([action, actions]).toEqual([
      null,
      [
        { type: 'webhook', url: 'https://example.com/x', method: 'POST' },
        { type: 'ai_reply', knowledgeBase: false, history: 10 },
        { type: 'stop' },
      ],
    ]);
  });

  it('is made once for one request', async () => {
    const [given, resourceId] = [body(), v7()];
    const made = await test.ask<ShownFlow>(CreateFlow, { body: given, resourceId });
    const again = await test.ask<ShownFlow>(CreateFlow, { body: given, resourceId, repeated: true });
    expect(again).toEqual(made);
  });

  it('is changed by the fields that are given', async () => {
    const made = await make({ secret: 'a secret', conditions: [{ type: 'quoted' }], cooldownSeconds: 60 });
    expect(made.hasSecret).toBe(true);
    const named = await change(made, { name: 'Offers' });
    expect(named).toEqual({ ...made, name: 'Offers', updatedAt: named.updatedAt });
    const [, open] = await Promise.all([
      change(made, { trigger: { type: 'new_contact' }, conditions: [] }),
      change(made, { secret: null, continue: true }),
    ]);
    expect(open.hasSecret).toBe(false);
    expect(await test.ask(GetFlow, at(made))).toMatchObject({
      name: 'Offers',
      trigger: { type: 'new_contact' },
      conditions: [],
      continue: true,
      hasSecret: false,
      cooldownSeconds: 60,
    });
    expect(await test.refusal(UpdateFlow, { ...at(made), body: { profileId: v7() } })).toEqual([
      'VALIDATION_ERROR',
      'body.profileId',
    ]);
  });

  it('is switched off and on, and deleted', async () => {
    const made = await make();
    const toggle = (): Promise<ShownFlow> => test.ask(ToggleFlow, at(made));
    expect([(await toggle()).enabled, (await toggle()).enabled]).toEqual([false, true]);
    await test.ask(DeleteFlow, at(made));
    for (const contract of [GetFlow, DeleteFlow, ToggleFlow, GetFlowStats])
      expect(await test.refusal(contract, at(made))).toEqual(['NOT_FOUND']);
  });

  it('has counts, and keeps neither secrets nor values of headers in the open', async () => {
    const url = 'https://example.com/hook';
    const steps = [{ type: 'webhook', url, headers: { Authorization: 'Bearer very-secret' } }];
    const made = await make({ actions: steps, secret: 'very-secret' });
    expect(await test.ask(GetFlowStats, at(made))).toEqual({
      triggered: 0,
      succeeded: 0,
      failed: 0,
      lastTriggeredAt: null,
    });
    expect(made.actions).toMatchObject([{ headers: { Authorization: '********' } }]);
    const [row] = await test.service.sql.query<{ definition: string }>(
      'SELECT definition FROM answerers WHERE id = $1',
      [made.id],
    );
    expect(row?.definition).not.toContain('very-secret');
    await change(made, { actions: [hello, ...made.actions] });
    const sealed = async (): Promise<unknown> =>
      (
        await test.service.sql.query<{ header: string }>(
          `SELECT jsonb_path_query_first(definition::jsonb, '$.actions[*].headers.Authorization') AS header
             FROM answerers WHERE id = $1`,
          [made.id],
        )
      )[0]?.header;
    const before = JSON.parse(row?.definition ?? '') as { actions: [{ headers: { Authorization: string } }] };
    expect(await sealed()).toBe(before.actions[0].headers.Authorization);
    const elsewhere = [{ type: 'webhook', url: 'https://example.org/', headers: { Authorization: '********' } }];
    expect(await test.refusal(UpdateFlow, { ...at(made), body: { actions: elsewhere } })).toEqual([
      'VALIDATION_ERROR',
      'body.actions[0].headers.Authorization',
    ]);
  });

  it('belongs to its organization and its profile', async () => {
    const made = await make();
    const caller = testCaller();
    for (const contract of [GetFlow, DeleteFlow, ToggleFlow, GetFlowStats])
      expect(await test.refusal(contract, { ...at(made), caller })).toEqual(['NOT_FOUND']);
    expect(await test.refusal(UpdateFlow, { ...at(made), body: {}, caller })).toEqual(['NOT_FOUND']);
    expect(await test.refusal(TestFlow, { ...at(made), body: { message: '' }, caller })).toEqual(['NOT_FOUND']);
    expect(await test.refusal(ReorderFlows, { body: { order: [made.id] }, caller })).toEqual(['NOT_FOUND']);
    expect((await list({}, { caller })).items).toEqual([]);
    const profileId = v7();
    test.unknownProfiles.add(profileId);
    expect(await refusal({ profileId })).toEqual(['NOT_FOUND']);
    const key = { caller: { ...test.caller, profileIds: [v7()] } };
    for (const contract of [GetFlow, DeleteFlow, ToggleFlow, GetFlowStats])
      expect(await test.refusal(contract, { ...at(made), ...key })).toEqual(['FORBIDDEN']);
    expect(await test.refusal(CreateFlow, { body: body(), ...key })).toEqual(['FORBIDDEN']);
    expect(await test.refusal(ListFlows, { query: { profileId: made.profileId }, ...key })).toEqual(['FORBIDDEN']);
    expect(await test.refusal(ReorderFlows, { body: { order: [made.id] }, ...key })).toEqual(['FORBIDDEN']);
    expect((await list({}, key)).items).toEqual([]);
    expect((await list({}, { caller: { ...test.caller, profileIds: [made.profileId] } })).items).toEqual([made]);
  });

  it('goes with its profile', async () => {
    const made = await make();
    const { organizationId } = test.caller;
    const { profileId } = made;
    await test.service.emit(ProfileDeleted, { profileId }, { organizationId, profileId });
    expect(await test.refusal(GetFlow, at(made))).toEqual(['NOT_FOUND']);
  });

  it('is one of 200 of its profile', async () => {
    const profileId = v7();
    await Promise.all(Array.from({ length: 200 }, () => make({ profileId })));
    expect(await refusal({ profileId })).toEqual(['QUOTA_REACHED']);
    await make();
  });
});

describe('the order', () => {
  it('puts new flows last, and those that are given before the rest', async () => {
    const profileId = v7();
    const made: ShownFlow[] = [];
    for (const name of ['a', 'b', 'c', 'd']) made.push(await make({ profileId, name }));
    const [a, b, c, d] = made as [ShownFlow, ShownFlow, ShownFlow, ShownFlow];
    expect(made.map(({ priority }) => priority)).toEqual([1, 2, 3, 4]);
    const order = [d.id, b.id];
    expect(await test.ask(ReorderFlows, { body: { order } })).toEqual({ order: [d.id, b.id, a.id, c.id] });
    const { items } = await list({ profileId });
    expect(items.map(({ name, priority }) => [name, priority])).toEqual([
      ['d', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
    ]);
    expect(await test.refusal(ReorderFlows, { body: { order: [a.id, v7()] } })).toEqual(['NOT_FOUND']);
    expect(await test.refusal(ReorderFlows, { body: { order: [a.id, a.id] } })).toEqual([
      'VALIDATION_ERROR',
      'body.order',
    ]);
    expect((await make({ profileId })).priority).toBe(5);
  });

  it('is that of the list, in pages, by profile, name and state', async () => {
    const caller = testCaller();
    const profileId = v7();
    const options = { caller };
    for (const [name, given] of [
      ['Alpha', {}],
      ['beta 100%', { enabled: false }],
      ['Gamma', { profileId: v7() }],
      ['alphabet', { priority: 0 }],
    ] as const)
      await make({ profileId, name, ...given }, options);
    const names = async (query: Readonly<Record<string, unknown>>) =>
      (await list(query, options)).items.map(({ name }) => name);
    expect(await names({})).toEqual(['alphabet', 'Alpha', 'Gamma', 'beta 100%']);
    expect(await names({ profileId })).toEqual(['alphabet', 'Alpha', 'beta 100%']);
    expect(await names({ search: 'ALPHA' })).toEqual(['alphabet', 'Alpha']);
    expect(await names({ search: '0%' })).toEqual(['beta 100%']);
    expect(await names({ enabled: 'false' })).toEqual(['beta 100%']);
    const first = await list({ limit: 3 }, options);
    expect([first.items.length, first.total]).toEqual([3, 4]);
    expect(await names({ limit: 3, cursor: first.nextCursor })).toEqual(['beta 100%']);
  });
});

describe('a test', () => {
  const tried = (flow: ShownFlow, given: object) => test.ask<object>(TestFlow, { ...at(flow), body: given });

  it('says what would be done, and fills the texts', async () => {
    const flow = await make({
      trigger: { type: 'regex', value: '(?i)order (\\d+)' },
      conditions: [{ type: 'tag', value: 'vip' }],
      actions: [
        {
          type: 'send',
          message: {
            type: 'text',
            text: '{{name}}, {{match}} {{1}} {{2|-}} {{link}} {{metadata.city}}',
            link: 'https://x.example',
          },
        },
      ],
      enabled: false,
    });
    const contactId = v7();
    test.people.set('4915112345678@c.us', { contactId, name: 'Ada', tags: ['vip'], metadata: { city: 'Kiel' } });
    expect(await tried(flow, { message: 'My Order 17!', from: '+49 151 12345678' })).toEqual({
      matched: true,
      match: 'Order 17',
      conditions: [{ type: 'tag', value: 'vip', passed: true }],
      actions: [
        {
          type: 'send',
          message: { type: 'text', text: 'Ada, Order 17 17 - https://x.example Kiel', link: 'https://x.example' },
        },
      ],
    });
    expect(await tried(flow, { message: 'My Order 17!' })).toMatchObject({
      matched: false,
      match: 'Order 17',
      conditions: [{ passed: false }],
      actions: [],
    });
    expect(await tried(flow, { message: 'Hello', from: '4915112345678' })).toMatchObject({
      matched: false,
      match: null,
    });
  });

  it('knows new people, quotes, types and times', async () => {
    const flow = await make({
      trigger: { type: 'new_contact' },
      conditions: [
        { type: 'quoted', not: true },
        { type: 'message_type', value: ['text', 'image'] },
        { type: 'time', timezone: 'Asia/Jakarta', days: [4], from: '08:00', to: '17:00' },
      ],
    });
    const at = '2026-01-01T05:00:00.000Z';
    expect(await tried(flow, { message: '', at })).toMatchObject({ matched: true, match: '' });
    expect(await tried(flow, { message: '', at, newContact: false })).toMatchObject({ matched: false, match: null });
    const verdicts = async (given: object) =>
      ((await tried(flow, { message: '', at, ...given })) as { conditions: { passed: boolean }[] }).conditions.map(
        ({ passed }) => passed,
      );
    expect(await verdicts({ quoted: true })).toEqual([false, true, true]);
    expect(await verdicts({ type: 'sticker' })).toEqual([true, false, true]);
    expect(await verdicts({ at: '2026-01-01T10:00:00.000Z' })).toEqual([true, true, false]);
    const scheduled = await make({
      trigger: { type: 'schedule', value: { cron: '* * * * *', timezone: 'UTC', recipients: { type: 'all' } } },
    });
    expect(await tried(scheduled, { message: 'x' })).toMatchObject({ matched: false, match: null });
  });
});

describe('what is held of an organization', () => {
  it('is shown and erased', async () => {
    const caller = testCaller();
    const { id, name } = await make({}, { caller });
    const whose = { organizationId: caller.organizationId, userId: caller.userId, wholeOrganization: true };
    const shown: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await test.service.ask(ReadAutomationData, { ...whose, ...(cursor !== undefined && { cursor }) });
      shown.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(shown).toMatchObject([{ section: 'flows', item: { id, name, trigger: { value: ['price'] } } }]);
    await test.service.ask(EraseAutomationData, whose);
    await test.service.ask(EraseAutomationData, whose);
    expect(await test.refusal(GetFlow, { params: { id }, caller })).toEqual(['NOT_FOUND']);
  });
});
