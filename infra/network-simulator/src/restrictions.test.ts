import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from './index.ts';
import { linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const phone = '4915112345690';
const stranger = '4915100000690';
const friend = '4915100000691';
const soon = (): string => new Date((Math.floor(Date.now() / 1000) + 3600) * 1000).toISOString();

describe('a restricted account', () => {
  let simulator: Simulator;
  let client: Client;
  const locks: unknown[] = [];
  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
    client.socket.ev.on(
      'connection.update',
      ({ reachoutTimeLock }) => void (reachoutTimeLock && locks.push(reachoutTimeLock)),
    );
    await simulator.sendFromContact(friend, { to: phone, text: 'Hello' });
    await until(() => client.seen.some(({ text }) => text === 'Hello'));
  });
  afterAll(async () => {
    client.end();
    await simulator.stop();
  });

  const stateOf = async (to: string): Promise<string | number | undefined> => {
    const sent = await client.socket.sendMessage(`${to}@s.whatsapp.net`, { text: 'Good day' });
    const id = sent?.key.id ?? '';
    await until(() => client.states(id).some((state) => state === '463' || state === 2 || state === 3));
    return client.states(id).find((state) => state === '463' || state === 2 || state === 3);
  };

  it('cannot write to strangers, and can to people who have written; the client is notified and can query it', async () => {
    const end = soon();
    await simulator.configureContact(phone, { restriction: { type: 'BIZ_QUALITY', until: end } });
    await until(() => locks.length === 1);
    const lock = { isActive: true, enforcementType: 'BIZ_QUALITY', timeEnforcementEnds: new Date(end) };
    expect(locks).toEqual([lock]);
    expect(await client.socket.fetchAccountReachoutTimelock()).toEqual(lock);
    expect(await stateOf(stranger)).toBe('463');
    expect(await stateOf(friend)).not.toBe('463');
    const { contacts } = await simulator.statistics();
    expect([contacts[stranger]?.refused, contacts[friend]?.refused]).toEqual([1, 0]);
  });

  it('can write to everybody once it was lifted', async () => {
    locks.length = 0;
    await simulator.configureContact(phone, { restriction: null });
    await until(() => locks.length === 1);
    expect(locks).toMatchObject([{ isActive: false }]);
    expect(await client.socket.fetchAccountReachoutTimelock()).toMatchObject({ isActive: false });
    expect(await stateOf(stranger)).not.toBe('463');
  });

  it('is notified of nothing where that is asked for', async () => {
    locks.length = 0;
    await simulator.configureContact(phone, { restriction: { type: 'BIZ_QUALITY', until: null, notify: false } });
    expect(await client.socket.fetchAccountReachoutTimelock()).toEqual({
      isActive: true,
      enforcementType: 'BIZ_QUALITY',
      timeEnforcementEnds: undefined,
    });
    // The query itself emits the only event.
    expect(locks).toHaveLength(1);
    await simulator.configureContact(phone, { restriction: null });
  });

  it('has a quota of new chats, of which the client is notified', async () => {
    const told = new Promise((resolve) => client.socket.ev.on('message-capping.update', resolve));
    const newChats = { status: 'first_warning', used: 3, quota: 10, cycleEnd: '2026-12-31T00:00:00.000Z' } as const;
    await simulator.configureContact(phone, { newChats });
    const info = {
      used_quota: 3,
      total_quota: 10,
      capping_status: 'FIRST_WARNING',
      cycle_start_timestamp: '0',
      cycle_end_timestamp: '1798675200',
    };
    expect(await told).toEqual(info);
    expect(await client.socket.fetchNewChatMessageCap()).toEqual(info);
  });

  it('refuses settings of another form, and changes nothing', async () => {
    const wrong = { restriction: { type: 'BIZ_QUALITY', until: 'tomorrow' } };
    await expect(simulator.configureContact(phone, wrong)).rejects.toMatchObject({ code: 'SETTING_INVALID' });
    expect(await client.socket.fetchAccountReachoutTimelock()).toMatchObject({ isActive: false });
  });
});
