import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentsTest, type ContentsTest } from '../../testing/contents-test.ts';
import { newNetworkId } from '../../testing/engine-harness.ts';

/** Numbers with the same last eight digits in two area codes, and the other form of one of them. */
const returned = '551177776666';
const requested = '5511977776666';
const stranger = '5521977776666';

let test: ContentsTest;
beforeAll(async () => {
  test = await contentsTest('4915120000420', '4915100000420');
  await test.simulator.alias({ [requested]: returned });
});
afterAll(() => test.stop());

const send = (to: string, id = newNetworkId()) =>
  test.profile.sendContent(to, { type: 'text', content: { text: `to ${to}` } }, id);

describe('a number that the network knows in another form', () => {
  it('is found under that form, and never confused with a number of the same ending', async () => {
    const { session } = test.profile;
    const both = [
      { phone: stranger, jid: `${stranger}@c.us` },
      { phone: requested, jid: `${returned}@c.us` },
    ];
    expect(await session.checkNumbers([stranger, requested])).toEqual(both);
    expect(await session.checkNumbers([requested, stranger])).toEqual(both.toReversed());
    expect(await session.checkNumbers([requested])).toEqual([both[1]]);
    await test.simulator.configureContact(stranger, { exists: false });
    expect(await session.checkNumbers([stranger, requested])).toEqual([both[1]]);
    await test.simulator.configureContact(stranger, { exists: true });
  });

  it('is written to under that form, which is returned with each message', async () => {
    const outcome = { outcome: 'acknowledged', to: `${returned}@c.us` };
    expect(await send(requested)).toEqual(outcome);
    expect(await send(requested)).toEqual(outcome);
    expect((await test.simulator.messages(returned)).map(({ text }) => text)).toEqual([
      `to ${requested}`,
      `to ${requested}`,
    ]);
    expect(await send(returned)).toEqual({ outcome: 'acknowledged' });
    expect(await test.simulator.messages(stranger)).toEqual([]);
  });

  it('that does not exist is refused', async () => {
    await test.simulator.configureContact('5511900000001', { exists: false });
    expect(await send('5511900000001')).toMatchObject({ outcome: 'refused', code: 'RECIPIENT_UNKNOWN' });
  });
});
