import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CheckNumbers, ValidateNumber, ValidateNumbers } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { InboxFixture, ada } from '../inbox.fixture.ts';

let fixture: InboxFixture;
let asked: string[][];
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(async () => {
  fixture.renew();
  asked = [];
  const answering = ({ phones }: { phones: string[] }) => {
    asked.push(phones);
    return { known: phones.filter((phone) => phone === ada).map((phone) => ({ phone, jid: `${phone}@c.us` })) };
  };
  await fixture.service.fake(CheckNumbers, answering, fixture.profileId);
});

const one = async (phone: string, caller = fixture.caller, profileId = fixture.profileId) =>
  (await fixture.service.call(ValidateNumber, { caller, params: { profileId, phone } })).body;
const many = async (phones: string[]) => {
  const { caller, profileId } = fixture;
  return (await fixture.service.call(ValidateNumbers, { caller, params: { profileId }, body: { phones } })).body;
};

describe('checking numbers', () => {
  it('asks the network once for each', async () => {
    const there = { phone: ada, valid: true, exists: true, jid: `${ada}@c.us` };
    expect(await one('+49 151 12345678')).toEqual(there);
    expect(await many([ada, 'none', '4915100000001', `${ada}@c.us`])).toEqual({
      items: [
        there,
        { phone: 'none', valid: false, exists: false, jid: null, hint: expect.stringMatching('such as \\+49') },
        { phone: '4915100000001', valid: true, exists: false, jid: null },
        there,
      ],
    });
    expect(asked).toEqual([[ada], ['4915100000001']]);
  });

  it('says what is likely wrong with a number that is not there, and asks for what was written all the same', async () => {
    expect(await one('0151 12345678')).toEqual({
      phone: '015112345678',
      valid: true,
      exists: false,
      jid: null,
      hint: expect.stringMatching(/country code seems to be missing: write \+49/),
    });
    expect(await one('5511 8765 4321')).toMatchObject({ exists: false, hint: expect.stringContaining('Brazil') });
    expect(await one('+49 151 00000001')).not.toHaveProperty('hint');
    expect(asked).toEqual([['015112345678'], ['551187654321'], ['4915100000001']]);
  });

  it('asks about fifty at a time', async () => {
    await many(Array.from({ length: 120 }, (_, index) => `4915100000${100 + index}`));
    expect(asked.map((phones) => phones.length)).toEqual([50, 50, 20]);
  });

  it('forgets after a day, or sooner who was not there', async () => {
    await many([ada, '4915100000001']);
    fixture.service.clock.advance(11 * 60_000);
    await many([ada, '4915100000001']);
    expect(asked).toEqual([[ada, '4915100000001'], ['4915100000001']]);
  });

  it('is for profiles of the organization and of the key only', async () => {
    await expect(one(ada, testCaller())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const key = { ...fixture.caller, apiKeyId: v7(), profileIds: [v7()] };
    await expect(one(ada, key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(asked).toEqual([]);
  });
});
