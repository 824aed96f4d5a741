import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentsTest, type ContentsTest } from '../../testing/contents-test.ts';
import { until } from '../../testing/engine-harness.ts';

describe('the order of what comes in', () => {
  const phone = '4915120000700';
  let test: ContentsTest;
  beforeAll(async () => {
    test = await contentsTest(phone, '4915100000700');
  });
  afterAll(() => test.stop());

  /** Texts that were told of a chat, in their order. */
  const texts = (chat: string): string[] =>
    test.profile.facts.flatMap((fact) =>
      fact.kind === 'message' && fact.data.chat.jid === chat && fact.data.content.type === 'text'
        ? [fact.data.content.content.text]
        : [],
    );
  const numbered = ['0', '1', '2', '3', '4'];

  it('is that of the network for people who have never written before, many at once', async () => {
    const strangers = Array.from({ length: 60 }, (_, number) => `49151000007${String(number).padStart(2, '0')}`);
    await Promise.all(
      strangers.map(async (stranger) => {
        for (const text of numbered) await test.simulator.sendFromContact(stranger, { to: phone, text });
      }),
    );
    const told = (stranger: string): string[] => texts(`${stranger}@c.us`);
    await until(() => strangers.every((stranger) => told(stranger).length === numbered.length));
    expect(strangers.map((stranger) => told(stranger).join(' '))).toEqual(strangers.map(() => numbered.join(' ')));
  });

  it('is that of the network for what waited while the client was away, and what comes right after', async () => {
    const away = '4915100000790';
    await test.simulator.sendFromContact(away, { to: phone, text: 'before' });
    await until(() => texts(`${away}@c.us`).length === 1);
    await test.profile.session.stop();
    const late = Array.from({ length: 40 }, (_, number) => `${number}`);
    for (const text of late.slice(0, 20)) await test.simulator.sendFromContact(away, { to: phone, text });
    const opened = test.profile.opened;
    await test.profile.session.start();
    await until(() => test.profile.opened > opened);
    for (const text of late.slice(20)) await test.simulator.sendFromContact(away, { to: phone, text });
    await until(() => texts(`${away}@c.us`).length === 41);
    expect(texts(`${away}@c.us`)).toEqual(['before', ...late]);
  });

  it('may differ from that of the author in a group: what comes late is read, and nothing is asked for again', async () => {
    const [anna, ben] = ['4915100000791', '4915100000792'];
    const { id: to } = await test.simulator.createGroup({ owner: anna, subject: 'Choir', participants: [phone, ben] });
    await test.simulator.sendFromContact(anna, { to, text: 'first' });
    for (let round = 0; round < 3; round += 1) {
      for (const text of ['a', 'b', 'c'])
        await test.simulator.sendFromContact(anna, { to, text: `${text}${round}`, late: true });
      await test.simulator.sendFromContact(anna, { to, text: `ahead${round}` });
    }
    const expected = ['0', '1', '2'].flatMap((round) => ['ahead', 'a', 'b', 'c'].map((text) => `${text}${round}`));
    await until(() => texts(to).length >= 1 + expected.length);
    expect(texts(to)).toEqual(['first', ...expected]);
    expect((await test.simulator.statistics()).retriesAnswered).toBe(0);
  });
});
