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

  it('asks who is in the group once, and again when that has changed', async () => {
    const say = (text: string) => test.profile.sendContent(group, { type: 'text', content: { text } });
    const carla = '4915100000392';
    await test.simulator.changeGroup(group, { by: anna, add: [carla] });
    await until(() => test.profile.facts.find(({ kind }) => kind === 'participants'));
    expect(await say('Welcome')).toEqual({ outcome: 'acknowledged' });
    await test.simulator.waitForMessages(carla, 1);
    await test.simulator.changeGroup(group, { by: anna, remove: [carla] });
    await until(() => test.profile.facts.filter(({ kind }) => kind === 'participants').length === 2);
    expect(await say('Without her')).toEqual({ outcome: 'acknowledged' });
    await test.simulator.waitForMessages(ben, 4);
    expect((await test.simulator.messages(carla)).map(({ text }) => text)).toEqual(['Welcome']);
  });

  it('says when it may not write', async () => {
    const elsewhere = await test.simulator.createGroup({ owner: anna, subject: 'Elsewhere', participants: [ben] });
    const content = { type: 'text', content: { text: 'Anybody?' } } as const;
    const notIn = { outcome: 'refused', code: 'FORBIDDEN' };
    expect(await test.profile.sendContent(elsewhere.id, content)).toMatchObject(notIn);
    const nowhere = '120363999999999999@g.us';
    expect(await test.profile.sendContent(nowhere, content)).toMatchObject({
      outcome: 'refused',
      code: 'RECIPIENT_UNKNOWN',
    });
  });

  it('tells whether it was an admin who deleted', async () => {
    const { id: target } = await test.simulator.sendFromContact(ben, { to: group, text: 'Rude' });
    const revoke = async (by: string) => {
      const before = test.profile.facts.length;
      await test.simulator.sendFromContact(by, { to: group, content: { type: 'revoke', target } });
      const fact = await until(() => test.profile.facts.slice(before).find(({ kind }) => kind === 'change'));
      return fact.data;
    };
    expect(await revoke(ben)).not.toHaveProperty('byAdmin');
    expect(await revoke(anna)).toMatchObject({
      byAdmin: true,
      target: { networkMessageId: target, author: `${ben}@c.us` },
    });
  });

  it('reads votes on a poll though somebody else makes one under its id', async () => {
    const id = newNetworkId();
    const poll = { question: 'Concert?', options: ['June', 'July'] };
    expect(await test.profile.sendContent(group, { type: 'poll', content: poll }, id)).toEqual({
      outcome: 'acknowledged',
    });
    await until(async () => (await test.simulator.messages(anna)).find((one) => one.id === id));
    await test.simulator.sendFromContact(ben, { to: phone, id, content: { type: 'poll', ...poll } });
    await until(() =>
      test.profile.facts.find(
        ({ kind, data }) => kind === 'message' && 'networkMessageId' in data && data.networkMessageId === id,
      ),
    );
    await test.simulator.sendFromContact(anna, { to: group, content: { type: 'vote', target: id, options: ['July'] } });
    const vote = await until(() =>
      test.profile.facts.find(
        ({ kind, data }) => kind === 'change' && 'target' in data && data.target.networkMessageId === id,
      ),
    );
    expect(vote.data).toMatchObject({ target: { fromMe: true }, change: { type: 'voted', options: ['July'] } });
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
