import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CreateContact, ImportContacts } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { InboxFixture } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start({}, { contactQuota: 2 });
});
afterAll(() => fixture.service.stop());

const create = (phone: string, caller = fixture.caller) =>
  fixture.service.call(CreateContact, { caller, body: { phone } });

it('an organization that has as many contacts as it may changes those, and no other organization notices', async () => {
  expect([(await create('4915100000001')).status, (await create('4915100000002')).status]).toEqual([201, 201]);
  const refused = { code: 'QUOTA_REACHED', details: { quota: 'contacts', limit: 2 } };
  await expect(create('4915100000003')).rejects.toMatchObject(refused);
  expect((await create('4915100000001')).status).toBe(200);
  const contacts = ['4915100000002', '4915100000003'].map((phone) => ({ phone, name: 'Ada' }));
  const imported = await fixture.service.call(ImportContacts, { caller: fixture.caller, body: { contacts } });
  expect(imported.body).toMatchObject({ created: 0, updated: 1, failed: 1, errors: [{ line: 2 }] });
  expect((await create('4915100000003', testCaller())).status).toBe(201);
});
