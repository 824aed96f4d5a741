import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreateApiKey, ExportAccount, type Caller } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { IdentityFixture } from '../identity.fixture.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start();
});
afterAll(() => fixture.service.stop());

const keyOf = async (caller: Caller, limits: object): Promise<Caller> => {
  const made = await fixture.service.call(CreateApiKey, { caller, body: { name: 'key', ...limits } });
  const resolved = await fixture.callerOfKey((made.body as { key: string }).key);
  if (resolved === null) throw new Error('The key does not hold.');
  return resolved;
};
const page = async (caller: Caller) => (await fixture.service.call(ExportAccount, { caller })).body as { text: string };

describe('the export', () => {
  it('is given to a key that may do all that its maker may, and to no key that is limited', async () => {
    const owner = await fixture.newCaller();
    expect((await page(await keyOf(owner, {}))).text).toContain('"user":[');
    for (const limits of [{ permissions: ['message:send'] }, { profileIds: [v7()] }])
      await expect(keyOf(owner, limits).then(page)).rejects.toEqual(expect.objectContaining({ code: 'FORBIDDEN' }));
  });
});
