import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CreateTemplate,
  DeleteTemplate,
  DuplicateTemplate,
  EraseCampaignsData,
  GetTemplate,
  ListTemplates,
  MessageAccepted,
  PreviewTemplate,
  ProfileDeleted,
  ReadCampaignsData,
  RenderTemplate,
  UpdateTemplate,
  keyOfMediaUrl,
  mediaKey,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { campaignsTest, type CampaignsTest, type ShownTemplate } from '../testing/campaigns-test.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const hourMs = 3_600_000;

let test: CampaignsTest;
beforeAll(async () => void (test = await campaignsTest()));
afterAll(() => test.stop());

let named = 0;
const text = (given: object = {}) => ({
  name: `Template ${(named += 1)}`,
  messageType: 'text' as const,
  content: { text: 'Hello {{name|friend}}, {{order}} of {{name}}' },
  ...given,
});
const make = (given: object = {}, options: object = {}): Promise<ShownTemplate> =>
  test.ask(CreateTemplate, { body: text(given), ...options });
const at = ({ id }: ShownTemplate) => ({ params: { id } });
const list = (query: Readonly<Record<string, unknown>> = {}, options: object = {}) =>
  test.ask<{ items: ShownTemplate[]; nextCursor: string | null; total: number }>(ListTemplates, { query, ...options });
const names = async (...given: Parameters<typeof list>): Promise<string[]> =>
  (await list(...given)).items.map(({ name }) => name);

describe('a template', () => {
  it('is shown as it is written, with the names of its placeholders', async () => {
    const made = await make();
    expect(made).toMatchObject({
      profileId: null,
      category: 'other',
      messageType: 'text',
      content: { text: 'Hello {{name|friend}}, {{order}} of {{name}}' },
      variables: ['name', 'order'],
      usageCount: 0,
    });
    expect(await test.ask(GetTemplate, at(made))).toEqual(made);
  });

  it('is made once under one Idempotency-Key', async () => {
    const resourceId = v7();
    const body = text();
    const first = await test.ask(CreateTemplate, { body, resourceId });
    expect(await test.ask(CreateTemplate, { body, resourceId, repeated: true })).toEqual(first);
    const copyId = v7();
    const copy = await test.ask(DuplicateTemplate, { ...at(first), resourceId: copyId });
    expect(await test.ask(DuplicateTemplate, { ...at(first), resourceId: copyId, repeated: true })).toEqual(copy);
  });

  it('has its name alone in the organization, of several at the same moment too', async () => {
    const { name } = text();
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => make({ name })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await test.refusal(CreateTemplate, { body: text({ name }) })).toEqual(['CONFLICT', 'body.name']);
    await make({ name }, { caller: testCaller() });
    const other = await make();
    expect(await test.refusal(UpdateTemplate, { ...at(other), body: { name } })).toEqual(['CONFLICT', 'body.name']);
    const [taken] = (await list({ search: name })).items;
    await test.ask(UpdateTemplate, { ...at(taken as ShownTemplate), body: { name, category: 'marketing' } });
    await test.ask(UpdateTemplate, { ...at(taken as ShownTemplate), body: { name: `${name} before` } });
    await test.ask(UpdateTemplate, { ...at(other), body: { name } });
    await test.ask(DeleteTemplate, at(other));
    await make({ name });
  });

  it('changes in the fields given; type and content have to fit', async () => {
    const made = await make();
    const change = (body: object) => test.ask(UpdateTemplate, { ...at(made), body });
    expect(await change({ category: 'marketing' })).toMatchObject({
      ...made,
      category: 'marketing',
      updatedAt: expect.any(String),
    });
    expect(await change({ content: { text: 'Bye {{who}}' } })).toMatchObject({ variables: ['who'] });
    const refused = (body: object) => test.refusal(UpdateTemplate, { ...at(made), body });
    expect(await refused({ messageType: 'poll' })).toEqual([
      'VALIDATION_ERROR',
      'body.content.question',
      'body.content.options',
      'body.content.text',
    ]);
    expect(await refused({ content: { question: 'x' } })).toContain('body.content.question');
    expect(await refused({ content: { text: 'x', url: 'https://example.com' } })).toContain('body.content.url');
    expect(await refused({ unknown: 1 })).toEqual(['VALIDATION_ERROR', 'body.unknown']);
    const poll = { messageType: 'poll', content: { question: '{{q}}?', options: ['{{a}}', '{{b}}'] } };
    expect(await change(poll)).toMatchObject({ ...poll, variables: ['q', 'a', 'b'] });
  });

  it.each([
    [{ name: ' ' }, 'body.name'],
    [{ name: 'x'.repeat(201) }, 'body.name'],
    [{ name: undefined }, 'body.name'],
    [{ category: 'spam' }, 'body.category'],
    [{ messageType: 'sticker' }, 'body.messageType'],
    [{ messageType: undefined }, 'body.messageType'],
    [{ content: {} }, 'body.content.text'],
    [{ content: undefined }, 'body.content'],
    [{ content: { text: '' } }, 'body.content.text'],
    [{ content: { text: 'x', to: '4915112345678' } }, 'body.content.to'],
    [{ profileId: 'nobody' }, 'body.profileId'],
    [{ usageCount: 3 }, 'body.usageCount'],
    [
      { messageType: 'contact', content: { contacts: [{ name: 'A', phone: 'none' }] } },
      'body.content.contacts[0].phone',
    ],
    [{ messageType: 'location', content: { latitude: '{{x}}', longitude: 1 } }, 'body.content.latitude'],
    [{ messageType: 'image', content: { url: 'http://127.0.0.1/x.png' } }, 'body.content.url'],
    [{ messageType: 'image', content: { caption: 'x' } }, 'body.content.url'],
  ])('is refused by the name of the field: %j', async (given, path) => {
    const before = (await list()).total;
    const [code, ...paths] = await test.refusal(CreateTemplate, { body: text(given) });
    expect([code, paths]).toEqual(['VALIDATION_ERROR', expect.arrayContaining([path])]);
    expect((await list()).total).toBe(before);
  });

  it('may have placeholders in every text, whose form and length are those of what goes out', async () => {
    await make({ messageType: 'contact', content: { contacts: [{ name: '{{n}}', phone: '{{p}}' }] } });
    await make({ messageType: 'image', content: { url: 'https://example.com/{{x}}.png', caption: '{{y}}' } });
    await make({ messageType: 'text', content: { text: '{{t}}', mentions: ['{{m}}'] } });
  });

  it('is not there for others', async () => {
    const made = await make();
    const caller = testCaller();
    for (const contract of [GetTemplate, DeleteTemplate, DuplicateTemplate])
      expect(await test.refusal(contract, { ...at(made), caller })).toEqual(['NOT_FOUND']);
    for (const contract of [UpdateTemplate, PreviewTemplate])
      expect(await test.refusal(contract, { ...at(made), body: {}, caller })).toEqual(['NOT_FOUND']);
    expect((await list({}, { caller })).items).toEqual([]);
    const profileId = v7();
    test.unknownProfiles.add(profileId);
    expect(await test.refusal(CreateTemplate, { body: text({ profileId }) })).toEqual(['NOT_FOUND']);
  });

  it('of all profiles is seen and not changed by a key of some; one of another profile is neither', async () => {
    const [mine, others] = [v7(), v7()];
    const common = await make();
    const own = await make({ profileId: mine });
    const foreign = await make({ profileId: others });
    const key = { caller: { ...test.caller, profileIds: [mine] } };
    expect(await test.ask(GetTemplate, { ...at(common), ...key })).toEqual(common);
    const seen = await names({ limit: 200 }, key);
    expect([seen.includes(common.name), seen.includes(own.name), seen.includes(foreign.name)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await names({ profileId: mine }, key)).toEqual([own.name]);
    expect(await test.refusal(ListTemplates, { query: { profileId: others }, ...key })).toEqual(['FORBIDDEN']);
    for (const one of [common, foreign]) {
      expect(await test.refusal(UpdateTemplate, { ...at(one), body: { category: 'utility' }, ...key })).toEqual([
        'FORBIDDEN',
      ]);
      expect(await test.refusal(DeleteTemplate, { ...at(one), ...key })).toEqual(['FORBIDDEN']);
      expect(await test.refusal(DuplicateTemplate, { ...at(one), ...key })).toEqual(['FORBIDDEN']);
    }
    expect(await test.refusal(GetTemplate, { ...at(foreign), ...key })).toEqual(['FORBIDDEN']);
    expect(await test.refusal(CreateTemplate, { body: text(), ...key })).toEqual(['FORBIDDEN']);
    await test.ask(UpdateTemplate, { ...at(own), body: { category: 'utility' }, ...key });
    await test.ask(DuplicateTemplate, { ...at(own), ...key });
    await test.ask(DeleteTemplate, { ...at(own), ...key });
  });

  it('goes with the only profile that may use it', async () => {
    const profileId = v7();
    const [own, common] = [await make({ profileId }), await make()];
    const { organizationId } = test.caller;
    await test.service.emit(ProfileDeleted, { profileId }, { organizationId, profileId });
    expect(await test.refusal(GetTemplate, at(own))).toEqual(['NOT_FOUND']);
    await test.ask(GetTemplate, at(common));
  });
});

describe('the list', () => {
  it('is found by profile, category, type and name, in pages, the newest first', async () => {
    const caller = testCaller();
    const profileId = v7();
    for (const [name, given] of [
      ['Alpha', {}],
      ['beta 100%', { category: 'marketing' }],
      ['Gamma', { profileId }],
      ['alphabet', { messageType: 'poll', content: { question: 'q', options: ['a', 'b'] } }],
    ] as const)
      await make({ name, ...given }, { caller });
    expect(await names({}, { caller })).toEqual(['alphabet', 'Gamma', 'beta 100%', 'Alpha']);
    expect(await names({ search: 'ALPHA' }, { caller })).toEqual(['alphabet', 'Alpha']);
    expect(await names({ search: '0%' }, { caller })).toEqual(['beta 100%']);
    expect(await names({ category: 'marketing' }, { caller })).toEqual(['beta 100%']);
    expect(await names({ messageType: 'poll' }, { caller })).toEqual(['alphabet']);
    expect(await names({ profileId }, { caller })).toEqual(['Gamma']);
    const first = await list({ limit: 3 }, { caller });
    expect([first.items.length, first.total]).toEqual([3, 4]);
    expect(await names({ limit: 3, cursor: first.nextCursor }, { caller })).toEqual(['Alpha']);
    expect(await test.refusal(ListTemplates, { query: { category: 'spam' }, caller })).toEqual([
      'VALIDATION_ERROR',
      'query.category',
    ]);
  });
});

describe('a preview', () => {
  it('fills what has a value or a fallback, and names the rest once', async () => {
    const made = await make();
    const preview = (body?: object) => test.ask<object>(PreviewTemplate, { ...at(made), body });
    expect(await preview()).toEqual({
      rendered: { text: 'Hello friend, {{order}} of {{name}}' },
      missing: ['order', 'name'],
    });
    expect(await preview({ variables: { name: '{{order}}', other: 'x' } })).toEqual({
      rendered: { text: 'Hello {{order}}, {{order}} of {{order}}' },
      missing: ['order'],
    });
    expect(await test.refusal(PreviewTemplate, { ...at(made), body: { variables: { name: 1 } } })).toEqual([
      'VALIDATION_ERROR',
      'body.variables.name',
    ]);
  });

  it('finds nothing that every object has', async () => {
    const made = await make({ content: { text: '{{constructor}} {{__proto__}}' } });
    const missing = ['constructor', '__proto__'];
    expect(await test.ask<object>(PreviewTemplate, { ...at(made), body: {} })).toMatchObject({ missing });
  });

  it('is asked for by whoever sends, for a profile that may use it', async () => {
    const { organizationId } = test.caller;
    const profileId = v7();
    const { id: templateId } = await make({ profileId });
    const asked = { organizationId, templateId, variables: { order: '1', name: 'Ada' } };
    expect(await test.service.ask(RenderTemplate, { ...asked, profileId })).toEqual({
      messageType: 'text',
      content: { text: 'Hello Ada, 1 of Ada' },
      missing: [],
    });
    for (const other of [{ profileId: v7() }, { profileId, organizationId: v7() }])
      await expect(test.service.ask(RenderTemplate, { ...asked, ...other })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
  });
});

describe('a duplicate', () => {
  it('is called a copy, under the next name that is free', async () => {
    const { id, name } = await make({ category: 'marketing' });
    const copies = await Promise.all([1, 2, 3].map(() => test.ask(DuplicateTemplate, { params: { id } })));
    expect(copies.map((copy) => copy.name).toSorted()).toEqual([
      `${name} (copy 2)`,
      `${name} (copy 3)`,
      `${name} (copy)`,
    ]);
    expect(copies[0]).toMatchObject({ category: 'marketing', variables: ['name', 'order'], usageCount: 0 });
    const long = await make({ name: 'x'.repeat(200) });
    expect((await test.ask(DuplicateTemplate, at(long))).name).toBe(`${'x'.repeat(193)} (copy)`);
  });
});

describe('the count of uses', () => {
  it('has each message once, however often and in whatever order it is told, over a restart and a rebuild', async () => {
    const { id: templateId } = await make();
    const { organizationId } = test.caller;
    const told = Array.from({ length: 20 }, () => v7());
    const tell = (messageId: string, of = templateId) => {
      const { example } = MessageAccepted as unknown as { example: Parameters<typeof test.service.emit>[1] };
      const data = { ...(example as object), messageId, templateId: of };
      return test.service.emit(MessageAccepted, data as never, { organizationId });
    };
    await Promise.all([...told, ...told.toReversed()].map((messageId) => tell(messageId)));
    const uses = async () => (await test.ask(GetTemplate, { params: { id: templateId } })).usageCount;
    expect(await uses()).toBe(20);
    await test.service.rebuildViews();
    await test.service.restart();
    await tell(told[0] as string);
    await tell(v7(), v7());
    expect(await uses()).toBe(20);
  });
});

describe('the media of a template', () => {
  const upload = async (organizationId = test.caller.organizationId): Promise<string> => {
    const key = mediaKey({ organizationId }, v7());
    await test.service.media.put(key, Readable.from([picture]), { filename: 'dot.png' });
    return key;
  };
  const image = (given: object) => ({ messageType: 'image' as const, content: given });
  const keyOf = ({ content }: ShownTemplate): string => keyOfMediaUrl(String(content['url'])) ?? '';
  const isStored = async (key: string): Promise<boolean> => (await test.service.media.facts(key)) !== undefined;
  const pass = async (hours: number, until: () => Promise<boolean>): Promise<void> => {
    test.service.clock.advance(hours * hourMs);
    for (let tried = 0; tried < 200 && !(await until()); tried += 1) {
      test.service.clock.advance(hourMs);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('are kept as long as it, not as an upload', async () => {
    const uploaded = await upload();
    const made = await make(image({ base64: uploaded, caption: '{{c}}' }));
    expect(made.content).toEqual({ caption: '{{c}}', url: expect.stringContaining('/templates/') });
    await test.service.media.delete(uploaded);
    expect(await isStored(keyOf(made))).toBe(true);
    const echoed = await test.ask(UpdateTemplate, {
      ...at(made),
      body: { content: { ...made.content, caption: 'x' } },
    });
    expect(keyOf(echoed)).toBe(keyOf(made));
    const copy = await test.ask(DuplicateTemplate, at(made));
    expect(keyOf(copy)).not.toBe(keyOf(made));
    await test.ask(DeleteTemplate, at(made));
    expect(await isStored(keyOf(made))).toBe(true);
    await pass(73, async () => !(await isStored(keyOf(made))));
    expect([await isStored(keyOf(made)), await isStored(keyOf(copy))]).toEqual([false, true]);
  });

  it('that take the place of others have them deleted, some time after', async () => {
    const made = await make(image({ base64: await upload() }));
    const body = { content: { base64: await upload() } };
    const changed = await test.ask(UpdateTemplate, { ...at(made), body });
    await pass(73, async () => !(await isStored(keyOf(made))));
    expect([await isStored(keyOf(made)), await isStored(keyOf(changed))]).toEqual([false, true]);
  });

  it('are of the organization and of the kind', async () => {
    const foreign = await upload(v7());
    const refused = (body: object) => test.refusal(CreateTemplate, { body: text(body) });
    expect(await refused(image({ base64: foreign }))).toEqual(['VALIDATION_ERROR', 'body.content.base64']);
    const own = await upload();
    expect(await refused({ messageType: 'video', content: { base64: own } })).toEqual([
      'VALIDATION_ERROR',
      'body.content.base64',
    ]);
    expect(await refused(image({ base64: own, url: 'https://example.com/x.png' }))).toContain('body.content.url');
  });
});

describe('what is held of an organization', () => {
  it('is shown and erased', async () => {
    const caller = testCaller();
    const { id, name } = await make({}, { caller });
    const whose = { organizationId: caller.organizationId, userId: caller.userId, wholeOrganization: true };
    const { items } = await test.service.ask(ReadCampaignsData, whose);
    expect(items).toMatchObject([{ section: 'templates', item: { id, name, content: { text: expect.any(String) } } }]);
    await test.service.ask(EraseCampaignsData, whose);
    await test.service.ask(EraseCampaignsData, whose);
    expect(await test.refusal(GetTemplate, { params: { id }, caller })).toEqual(['NOT_FOUND']);
    const found = await test.service.sql.query(
      `SELECT 1 FROM template_names WHERE organization_id = $1 UNION ALL SELECT 1 FROM templates WHERE organization_id = $1`,
      [caller.organizationId],
    );
    expect(found).toEqual([]);
  });
});
