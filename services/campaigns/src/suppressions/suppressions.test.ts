import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CreateSuppression,
  DeleteSuppression,
  EraseCampaignsData,
  ExportSuppressionsCsv,
  ImportSuppressionsCsv,
  ReadCampaignsData,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { SuppressionsFixture, ada, lid } from './suppressions.fixture.ts';

let fixture: SuppressionsFixture;
beforeAll(async () => {
  fixture = await SuppressionsFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const put = (phone: string, reason?: string) =>
  fixture.call(CreateSuppression, { body: { phone, ...(reason !== undefined && { reason }) } });
const idOf = (reply: { body?: unknown }): string => (reply.body as { id: string }).id;
const importCsv = async (csv: string) => (await fixture.call(ImportSuppressionsCsv, { body: { csv } })).body;
const exported = async (): Promise<string> => {
  let text = '';
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = cursor === undefined ? {} : { cursor };
    const page = (await fixture.call(ExportSuppressionsCsv, { query })).body as {
      text: string;
      nextCursor: string | null;
    };
    text += page.text;
    cursor = page.nextCursor;
  }
  return text;
};

describe('a phone on the list', () => {
  it('is put there once, by however many at once, and keeps its reason', async () => {
    const replies = await Promise.all(
      ['+49 151 12345678', ada, ada, '49-151-12345678'].map((phone) => put(phone, 'asked')),
    );
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 200, 201]);
    expect(new Set(replies.map(idOf)).size).toBe(1);
    expect(await put(ada, 'other')).toMatchObject({ status: 200, body: { phone: ada, reason: 'asked' } });
    expect(await fixture.page()).toEqual({
      items: [{ id: idOf(replies[0] ?? {}), phone: ada, reason: 'asked', createdAt: expect.any(String) }],
      nextCursor: null,
      total: 1,
    });
    expect(await fixture.suppressed({ phone: ada }, { phone: '4915100000001' }, { phone: null, lid: null })).toEqual([
      true,
      false,
      false,
    ]);
    expect(await fixture.list.isSuppressed(fixture.caller.organizationId, { phone: ada })).toBe(true);
    expect(await fixture.list.isSuppressed(v7(), { phone: ada })).toBe(false);
  });

  it('is found by what is searched for, page by page', async () => {
    for (const [place, reason] of ['moved', '100%', 'a_b'].entries()) await put(`491510000000${place}`, reason);
    const phones = async (query: object) => (await fixture.page(query)).items.map(({ phone }) => phone);
    expect(await phones({ search: '%' })).toEqual(['4915100000001']);
    expect(await phones({ search: 'A_B' })).toEqual(['4915100000002']);
    expect(await fixture.page({ search: '00000000' })).toMatchObject({ total: 1, items: [{ reason: 'moved' }] });
    const first = await fixture.page({ limit: 2 });
    expect(first).toMatchObject({ total: 3, items: [{ reason: 'a_b' }, { reason: '100%' }] });
    expect(await phones({ limit: 2, cursor: first.nextCursor })).toEqual(['4915100000000']);
  });

  it('is taken off by its own organization only, and can come back', async () => {
    const id = idOf(await put(ada));
    const absent = { code: 'NOT_FOUND' };
    await expect(fixture.call(DeleteSuppression, { params: { id }, caller: testCaller() })).rejects.toMatchObject(
      absent,
    );
    expect((await fixture.call(DeleteSuppression, { params: { id } })).status).toBe(204);
    await expect(fixture.call(DeleteSuppression, { params: { id } })).rejects.toMatchObject(absent);
    expect([await fixture.suppressed({ phone: ada }), (await fixture.page()).total]).toEqual([[false], 0]);
    expect(await put(ada, 'again')).toMatchObject({ status: 201, body: { id, reason: 'again' } });
  });

  it('is refused when it is none, and nothing is kept', async () => {
    for (const [body, path] of [
      [{ phone: '12' }, 'body.phone'],
      [{ phone: ada, reason: '' }, 'body.reason'],
      [{ phone: ada, reason: 'two\nlines' }, 'body.reason'],
      [{ phone: ada, why: 'x' }, 'body.why'],
    ] as const)
      await expect(fixture.call(CreateSuppression, { body: body as never })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path }],
      });
    expect((await fixture.page()).items).toEqual([]);
  });

  it('stands in the audit with whoever put it there and took it off', async () => {
    const id = idOf(await put(ada));
    await fixture.call(DeleteSuppression, { params: { id } });
    await importCsv(`phone\n${ada}\n4915100000001\n`);
    const actor = `user:${fixture.caller.userId}`;
    expect(await fixture.audited()).toMatchObject([
      { action: 'suppression.create', actor, stream: `suppression-${id}` },
      { action: 'suppression.delete', actor, stream: `suppression-${id}` },
      { action: 'suppression.import', actor },
    ]);
  });
});

describe('a person of two names', () => {
  it('is found by either, as far as the inbox knows both', async () => {
    fixture.known.set(ada, lid);
    await put(ada);
    expect(
      await fixture.suppressed({ phone: ada }, { lid }, { phone: null, lid }, { phone: '4915100000001', lid }),
    ).toEqual([true, true, true, true]);
  });

  it('is one entry, once both names are known for one', async () => {
    await put(ada, 'by phone');
    await fixture.writes('stop', lid);
    expect(await fixture.page()).toMatchObject({
      total: 2,
      items: [{ phone: null, reason: 'opt-out: STOP' }, { phone: ada }],
    });
    await fixture.contact({ phone: ada, lid });
    expect(await fixture.page()).toMatchObject({ total: 1, items: [{ phone: ada, reason: 'by phone' }] });
    expect(await fixture.suppressed({ phone: ada }, { lid })).toEqual([true, true]);
    const [entry] = (await fixture.page()).items;
    await fixture.call(DeleteSuppression, { params: { id: entry?.id ?? '' } });
    expect(await fixture.suppressed({ phone: ada }, { lid })).toEqual([false, false]);
  });

  it('who was known by LID only is shown by phone, once that is known', async () => {
    await fixture.writes('stop', lid);
    await fixture.contact({ phone: ada, lid: null });
    expect((await fixture.page()).items).toMatchObject([{ phone: null }]);
    await fixture.contact({ phone: ada, lid });
    expect((await fixture.page()).items).toMatchObject([{ phone: ada }]);
    expect(await put(ada)).toMatchObject({ status: 200 });
  });
});

describe('a person whose number changes', () => {
  const after = '4915112345679';
  const changes = () => fixture.contact({ change: 'number', phone: after, previousPhone: ada, lid });

  it('stays on the list under the new number, and the number before is free', async () => {
    await put(ada, 'asked');
    for (let time = 0; time < 2; time += 1) await changes();
    expect(await fixture.page()).toMatchObject({ total: 1, items: [{ phone: after, reason: 'asked' }] });
    expect(await fixture.suppressed({ phone: after }, { lid }, { phone: ada })).toEqual([true, true, false]);
    expect(await put(ada)).toMatchObject({ status: 201 });
    expect((await fixture.page()).total).toBe(2);
  });

  it('is put on the list by nothing but a word or a request', async () => {
    await put('4915100000001');
    await changes();
    expect(await fixture.suppressed({ phone: after }, { lid }, { phone: ada })).toEqual([false, false, false]);
  });
});

describe('erasure', () => {
  it('of a contact forgets the phone and keeps the person on the list', async () => {
    fixture.known.set(ada, lid);
    await put(ada, 'asked');
    await fixture.contact({ change: 'deleted', mergedInto: v7(), phone: ada });
    expect((await fixture.page()).items).toMatchObject([{ phone: ada }]);
    await fixture.contact({ change: 'deleted', phone: ada });
    expect((await fixture.page()).items).toMatchObject([{ phone: null, reason: 'asked' }]);
    await fixture.service.rebuildViews();
    await fixture.service.restart();
    expect(await fixture.suppressed({ phone: ada }, { lid })).toEqual([true, true]);
    expect(await exported()).toBe('phone,reason,createdAt\r\n');
    const rows = await fixture.service.sql.query(
      'SELECT s::text AS text FROM suppressions s WHERE organization_id = $1',
      [fixture.caller.organizationId],
    );
    expect(JSON.stringify(rows)).not.toContain(ada);
  });

  it('of the organization leaves nothing, and what comes later leaves nothing either', async () => {
    await put(ada, 'asked');
    const { organizationId, userId } = fixture.caller;
    const whose = { organizationId, userId, wholeOrganization: true };
    expect(await fixture.service.ask(ReadCampaignsData, whose)).toMatchObject({
      items: [{ section: 'suppressions', item: { phone: ada, reason: 'asked' } }],
    });
    await fixture.service.ask(EraseCampaignsData, whose);
    await fixture.writes('stop');
    await fixture.service.rebuildViews();
    expect([await fixture.suppressed({ phone: ada }), (await fixture.page()).total]).toEqual([[false], 0]);
    const left = await fixture.service.sql.query(
      `SELECT FROM suppressions WHERE organization_id = $1 AND (phone IS NOT NULL OR phone_digest IS NOT NULL OR reason IS NOT NULL)`,
      [organizationId],
    );
    expect(left).toEqual([]);
    const events = await fixture.service.sql.query<{ text: string }>(
      `SELECT data::text AS text FROM events WHERE metadata->>'organizationId' = $1`,
      [organizationId],
    );
    expect(JSON.stringify(events)).not.toContain(ada);
  });
});

describe('a file', () => {
  it('is taken in line by line', async () => {
    await put(ada, 'before');
    const csv = `\uFEFFreason;phone\r\nmoved;+49 151 12345678\r\n;4915100000001\r\nx;bad\r\n\r\n"a ""b""; c";4915100000002\r\n"open;4915100000003\r\n;;;\r\n;4915100000001`;
    expect(await importCsv(csv)).toEqual({
      created: 2,
      updated: 2,
      failed: 3,
      errors: [
        { line: 4, message: expect.stringMatching(/^phone /) },
        { line: 7, message: expect.stringContaining('quote') },
        { line: 8, message: 'has more cells than there are columns' },
      ],
    });
    const shown = (await fixture.page()).items.map(({ phone, reason }) => [phone, reason]);
    expect(new Map(shown as [string, string][])).toEqual(
      new Map<string, string | null>([
        ['4915100000002', 'a "b"; c'],
        ['4915100000001', null],
        [ada, 'moved'],
      ]),
    );
  });

  it('is refused when its first line does not fit, and nothing is kept', async () => {
    for (const csv of ['', `name\n${ada}`, `phone,note\n${ada},x`, `phone,phone\n${ada},${ada}`])
      await expect(importCsv(csv)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'body.csv' }] });
    expect((await fixture.page()).total).toBe(0);
  });

  it('that was exported can be taken in, and no spreadsheet runs it', async () => {
    const reasons = ['=cmd()', '@x, "y"', "'=kept", 'a;b', '＝cmd()'];
    for (const [place, reason] of reasons.entries()) await put(`491510000000${place}`, reason);
    const file = await exported();
    expect(file.split('\r\n')[0]).toBe('phone,reason,createdAt');
    expect(file).toContain(`4915100000000,'=cmd(),20`);
    fixture.caller = testCaller();
    expect(await importCsv(file)).toEqual({ created: reasons.length, updated: 0, failed: 0, errors: [] });
    const shown = new Map((await fixture.page()).items.map(({ phone, reason }) => [phone, reason]));
    expect(shown).toEqual(new Map(reasons.map((reason, place) => [`491510000000${place}`, reason])));
  });

  it('of more than a page is written whole, and a thousand people are looked up at once', async () => {
    const phones = Array.from({ length: 2100 }, (_, place) => `49151${String(place).padStart(8, '0')}`);
    expect(await importCsv(`phone\n${phones.join('\n')}`)).toMatchObject({ created: 2100 });
    const lines = (await exported()).trim().split('\r\n');
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0]))).toEqual(new Set(phones));
    const people = phones
      .slice(0, 500)
      .flatMap((phone) => [{ phone, lid: `${phone}@lid` }, { phone: `1${phone.slice(1)}` }]);
    expect(await fixture.suppressed(...people)).toEqual(people.map((_, place) => place % 2 === 0));
  });
});
