import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentsTest, type ContentsTest } from '../../testing/contents-test.ts';
import { newNetworkId, until } from '../../testing/engine-harness.ts';

describe('the socket engine in groups', () => {
  const phone = '4915120000390';
  const anna = '4915100000390';
  const ben = '4915100000391';
  let test: ContentsTest;
  let group: string;
  beforeAll(async () => {
    test = await contentsTest(phone, anna);
    ({ id: group } = await test.simulator.createGroup({ owner: anna, subject: 'Choir', participants: [phone, ben] }));
  });
  afterAll(() => test.stop());

  it('sends to every member', async () => {
    for (const text of ['One', 'Two']) {
      const id = newNetworkId();
      const content = { type: 'text', content: { text } } as const;
      expect(await test.profile.sendContent(group, content, id)).toEqual({ outcome: 'acknowledged' });
      for (const reader of [anna, ben]) {
        const seen = await until(async () => (await test.simulator.messages(reader)).find((one) => one.id === id));
        expect(seen).toMatchObject({ from: phone, to: group, text });
      }
    }
  });

  it('tells what members write, with its author', async () => {
    for (const author of [anna, ben]) {
      const { id } = await test.simulator.sendFromContact(author, { to: group, text: `From ${author}` });
      const fact = await until(() =>
        test.profile.facts.find((one) => one.kind === 'message' && one.data.networkMessageId === id),
      );
      expect(fact.data).toMatchObject({
        chat: { jid: group },
        author: { jid: `${author}@c.us`, phone: author },
        fromMe: false,
        content: { type: 'text', content: { text: `From ${author}` } },
      });
    }
  });

  it('tells a message once that had to be sent again', async () => {
    const { id } = await test.simulator.sendFromContact(ben, { to: group, text: 'Legible now', unreadable: true });
    const told = () => test.profile.facts.filter((one) => one.kind === 'message' && one.data.networkMessageId === id);
    await until(() => told()[0]);
    await until(async () => (await test.simulator.phone(phone)).devices[0]?.waiting === 0);
    expect(told()).toHaveLength(1);
  });
});
