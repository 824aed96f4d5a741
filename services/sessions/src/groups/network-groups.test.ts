import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import type { EngineGroups } from '../engine/engine.ts';
import type { SessionData } from '../session-data/session-data-store.ts';
import { contentsTest, type ContentsTest } from '../testing/contents-test.ts';
import { openStore, sessionsFolder } from '../testing/engine-harness.ts';
import { makeGroup } from './network-groups.ts';

describe('making a group', () => {
  const anna = '4915100000610';
  const ben = '4915100000611';
  let test: ContentsTest;
  let data: SessionData;
  let end: () => Promise<void>;
  beforeAll(async () => {
    test = await contentsTest('4915120000610', anna);
    const folder = await sessionsFolder();
    const store = await openStore(folder.directory);
    data = await store.open(randomUUID(), 1);
    end = () => store.close().then(() => folder.remove());
    await test.simulator.configureContact(ben, { refuseGroups: 403 });
  });
  afterAll(async () => {
    await test.stop();
    await end();
  });

  const groups = (): EngineGroups => test.profile.session.groups;
  const people = [`${anna}@c.us`, `${ben}@c.us`];
  const outcomes = [
    { person: `${anna}@c.us`, status: 200 },
    { person: `${ben}@c.us`, status: 403 },
  ];
  const orderOf = (name: string) => ({ groupKey: randomUUID(), name, people });
  const named = async (name: string): Promise<number> =>
    (await groups().list()).filter((group) => group.name === name).length;
  /** An engine that loses its process, or the answer, right before or after the network is asked. */
  const failing = (create: EngineGroups['create']): EngineGroups => ({ ...bound(groups()), create });
  const bound = (engine: EngineGroups): EngineGroups => ({
    list: () => engine.list(),
    read: (id) => engine.read(id),
    create: (name, whom) => engine.create(name, whom),
    changeMembers: (id, action, whom) => engine.changeMembers(id, action, whom),
    rename: (id, name) => engine.rename(id, name),
    describe: (id, text) => engine.describe(id, text),
    leave: (id) => engine.leave(id),
    invitation: (id, renew) => engine.invitation(id, renew),
  });
  const lost = new Refused('ENGINE_TIMEOUT', 'No answer.');

  it('twice under one key makes one', async () => {
    const order = orderOf('Once');
    const first = await makeGroup(groups(), data, Date.now(), order);
    const second = await makeGroup(groups(), data, Date.now(), { ...order, description: 'Described later' });
    expect(first.outcomes).toEqual(outcomes);
    expect(second).toMatchObject({ outcomes, group: { id: first.group.id, description: 'Described later' } });
    expect(await named('Once')).toBe(1);
  });

  it('goes on with the group whose answer was lost', async () => {
    const order = orderOf('Answer lost');
    const losing = failing(async (name, whom) => {
      await groups().create(name, whom);
      throw lost;
    });
    await expect(makeGroup(losing, data, Date.now(), order)).rejects.toBe(lost);
    expect(await makeGroup(groups(), data, Date.now(), order)).toMatchObject({ outcomes });
    expect(await named('Answer lost')).toBe(1);
  });

  it('makes it when the question was lost, and does not take an older one for it', async () => {
    await makeGroup(groups(), data, Date.now(), orderOf('Question lost'));
    const order = orderOf('Question lost');
    const later = Date.now() + 120_000;
    await expect(
      makeGroup(
        failing(() => Promise.reject(lost)),
        data,
        later,
        order,
      ),
    ).rejects.toBe(lost);
    await makeGroup(groups(), data, later, order);
    expect(await named('Question lost')).toBe(2);
  });

  it('that the network refuses leaves nothing to go on with', async () => {
    const order = orderOf('Refused');
    const refused = new Refused('RATE_LIMITED', 'Too many.');
    await expect(
      makeGroup(
        failing(() => Promise.reject(refused)),
        data,
        Date.now(),
        order,
      ),
    ).rejects.toBe(refused);
    expect(await data.read('sent', [`group ${order.groupKey}`])).toEqual([undefined]);
  });
});
