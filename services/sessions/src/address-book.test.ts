import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckNumbers, DeleteFromAddressBook, SaveToAddressBook, type Caller } from '@messaging-gateway/contracts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

describe("an account's address book", () => {
  let test: SessionsTest;
  let caller: Caller;
  let other: Caller;
  beforeAll(async () => {
    test = await sessionsTest();
    [caller, other] = [await test.organization(), await test.organization()];
  });
  afterAll(() => test.stop());

  it('is out of reach of the socket engine', async () => {
    const { id: profileId } = await test.create(caller, 'one');
    const save = (by: Caller) =>
      test.service.call(SaveToAddressBook, { caller: by, params: { profileId }, body: { phone: '4915112345678' } });
    await expect(save(caller)).rejects.toMatchObject({ code: 'ENGINE_UNSUPPORTED' });
    await expect(save(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const params = { profileId, phone: '4915112345678' };
    await expect(test.service.call(DeleteFromAddressBook, { caller, params })).rejects.toMatchObject({
      code: 'ENGINE_UNSUPPORTED',
    });
  });

  it('is not needed to check numbers, but a connection is', async () => {
    const { id: profileId } = await test.create(caller, 'two');
    const asked = { organizationId: caller.organizationId, profileId, phones: ['4915112345678'] };
    await expect(test.service.ask(CheckNumbers, asked)).rejects.toMatchObject({ code: 'PROFILE_NOT_CONNECTED' });
  });
});
