import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CreateContact,
  ExportContactsCsv,
  ImportContacts,
  ImportContactsCsv,
  ListContacts,
  type Page,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { parse } from 'csv-parse/sync';
import { v7 } from 'uuid';
import { InboxFixture, ada } from '../inbox.fixture.ts';
import type { ShownContact } from './finding.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const importCsv = async (csv: string, profileId?: string, caller = fixture.caller) =>
  (await fixture.service.call(ImportContactsCsv, { caller, body: { csv, ...(profileId && { profileId }) } })).body;
const list = async () =>
  (await fixture.service.call(ListContacts, { caller: fixture.caller })).body as Page<ShownContact>;
const exported = async (caller = fixture.caller): Promise<string> => {
  let text = '';
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = cursor === undefined ? {} : { cursor };
    const page = (await fixture.service.call(ExportContactsCsv, { caller, query })).body as {
      text: string;
      nextCursor: string | null;
    };
    text += page.text;
    cursor = page.nextCursor;
  }
  return text;
};

describe('an import', () => {
  it('makes and changes contacts, and names what is wrong by its place', async () => {
    const { caller } = fixture;
    await fixture.service.call(CreateContact, { caller, body: { phone: ada, tags: ['a'] } });
    const contacts = [
      { phone: ada, tags: ['b'] },
      { phone: '12' },
      { name: 'no phone' },
      { phone: '4915100000002', nick: 'x' },
      { phone: '4915100000003', name: 'New' },
    ];
    expect((await fixture.service.call(ImportContacts, { caller, body: { contacts } })).body).toMatchObject({
      created: 1,
      updated: 1,
      failed: 3,
      errors: [
        { line: 2, message: expect.stringContaining('phone') },
        { line: 3, message: 'phone is required' },
        { line: 4, message: 'nick is not a known field' },
      ],
    });
    expect((await list()).items).toMatchObject([{ name: 'New' }, { phone: ada, tags: ['a', 'b'] }]);
  });

  it('takes CSV for a profile of the organization only', async () => {
    expect(await importCsv(`name,phone\nAda,+49 151 12345678\n,bad\n`, fixture.profileId)).toMatchObject({
      created: 1,
      updated: 0,
      failed: 1,
      errors: [{ line: 3 }],
    });
    expect((await list()).items).toMatchObject([{ profileId: fixture.profileId, phone: ada, name: 'Ada' }]);
    await expect(importCsv('phone\n', v7())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(importCsv('name\nAda\n')).rejects.toMatchObject({ details: [{ path: 'body.csv' }] });
  });

  it('refuses the one contact whose metadata are nested without end', async () => {
    const nested = `{""a"":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(await importCsv(`phone,metadata\n${ada},"${nested}"\n4915100000004,\n`)).toMatchObject({
      created: 1,
      failed: 1,
      errors: [{ line: 2, message: 'metadata must be nested at most 100 levels' }],
    });
  });

  it('gives back what was exported', async () => {
    const contacts = [
      { phone: ada, name: '=cmd()', tags: ['@home', 'x,y'], metadata: { quote: 'a "b"', lines: '1\n2' } },
      { phone: '4915100000002', name: "'=kept" },
    ];
    await fixture.service.call(ImportContacts, { caller: fixture.caller, body: { contacts } });
    const file = await exported();
    expect(file.split('\r\n')[0]).toBe('phone,name,tags,metadata');
    expect(file).toContain(`${ada},'=cmd(),"'@home;x,y",`);
    expect(file).toContain("''=kept");
    fixture.caller = testCaller();
    expect(await importCsv(file)).toEqual({ created: 2, updated: 0, failed: 0, errors: [] });
    const shown = (await list()).items.map(({ phone, name, tags, metadata }) => ({ phone, name, tags, metadata }));
    expect(shown).toEqual(
      expect.arrayContaining([contacts[0], expect.objectContaining({ phone: '4915100000002', name: "'=kept" })]),
    );
    expect(await exported(testCaller())).toBe('phone,name,tags,metadata\r\n');
  });

  it('exports no name that becomes a row, a cell or a formula of its own', async () => {
    const names = ["x\n=cmd|' /C calc'!A0", '\t=cmd()', 'y\r4917900000999', 'z;=cmd()', '\r\n@x', '＝cmd()'];
    const contacts = names.map((name, index) => ({ phone: `4915100000${100 + index}`, name }));
    await fixture.service.call(ImportContacts, { caller: fixture.caller, body: { contacts } });
    const file = await exported();
    for (const field of parse(file, { record_delimiter: ['\r\n', '\n', '\r'], delimiter: [',', ';', '\t'] }).flat())
      expect(field).not.toMatch(/^\s*[=+\-@＝]/);
    fixture.caller = testCaller();
    expect(await importCsv(file)).toEqual({ created: names.length, updated: 0, failed: 0, errors: [] });
    const kept = names.map((name) => expect.objectContaining({ name: name.trim() }));
    expect((await list()).items).toEqual(expect.arrayContaining(kept));
  });

  it('exports more than a page, each contact once', async () => {
    const contacts = Array.from({ length: 2100 }, (_, index) => ({ phone: `49151${String(index).padStart(8, '0')}` }));
    await fixture.service.call(ImportContacts, { caller: fixture.caller, body: { contacts } });
    const lines = (await exported()).trim().split('\r\n');
    expect([lines.length, new Set(lines).size]).toEqual([2101, 2101]);
  });
});
