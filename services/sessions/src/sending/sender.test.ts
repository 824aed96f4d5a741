import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import { testClock } from '@messaging-gateway/runtime';
import { nothingLeft, type SendOrder, type SendOutcome } from '../engine/engine.ts';
import type { SessionData, SessionDataStore } from '../session-data/session-data-store.ts';
import type { Restriction } from '../profiles/health.ts';
import { openStore, sessionsFolder } from '../testing/engine-harness.ts';
import { Sender, type SendRequest } from './sender.ts';
import { sweep } from '../session-data/retention.ts';

describe('sender', () => {
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  let data: SessionData;
  const clock = testClock();
  beforeAll(async () => {
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
    data = await store.open(randomUUID(), 1);
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  /** An engine that writes its record as a real one does, and then answers. */
  const engine = (...outcomes: (SendOutcome | Error)[]) => engineOn(data, ...outcomes);
  const engineOn = (data: SessionData, ...outcomes: (SendOutcome | Error)[]) => {
    const orders: SendOrder[] = [];
    const state: { isConnected: boolean; restriction: Restriction | undefined } = {
      isConnected: true,
      restriction: undefined,
    };
    const health = {
      get restriction() {
        return state.restriction;
      },
      refused: async () => (state.restriction = restriction),
    };
    const send = async (order: SendOrder): Promise<SendOutcome> => {
      const outcome = outcomes[Math.min(orders.length, outcomes.length - 1)];
      orders.push(order);
      if (outcome instanceof Error) throw outcome;
      await data.commit(order.record(Buffer.from('encoded')));
      return outcome as SendOutcome;
    };
    return {
      orders,
      state,
      sender: new Sender({ data, clock, health, session: { send }, isConnected: () => state.isConnected }),
    };
  };
  const delivery = (networkMessageId: string, more: Partial<SendRequest> = {}): SendRequest => ({
    networkMessageId,
    laneEpoch: 1,
    to: '4915100000001@c.us',
    content: { type: 'text', content: { text: 'x' } },
    ...more,
  });
  const restriction: Restriction = {
    type: 'BIZ_QUALITY',
    since: new Date(clock.now()).toISOString(),
    until: new Date(clock.now() + 3_600_000).toISOString(),
  };
  const soon = (): number => clock.now() + 10_000;
  const refused: SendOutcome = { outcome: 'refused', code: 'ENGINE_REFUSED', reason: 'No (463).' };

  it('runs one message once, and answers repeats from the run and from the record', async () => {
    const { orders, sender, state } = engine({ outcome: 'acknowledged' });
    const both = await Promise.all([sender.send(delivery('A'), soon()), sender.send(delivery('A'), soon())]);
    state.isConnected = false;
    expect(await sender.send(delivery('A'), soon())).toEqual(both[0]);
    expect(both[1]).toEqual(both[0]);
    expect(orders).toHaveLength(1);
    expect(await sender.settle('A', 1)).toMatchObject({ state: 'acknowledged' });
  });

  it('keeps an acknowledgement before it answers, when it is asked to and can', async () => {
    const { sender } = engine({ outcome: 'acknowledged' }, refused);
    expect(await sender.send(delivery('kept', { keep: true }), soon())).toMatchObject({ kept: true });
    expect(await sender.send(delivery('refused', { keep: true }), soon())).not.toHaveProperty('kept');
    const full: SessionData = {
      profileId: data.profileId,
      epoch: data.epoch,
      isLocal: true,
      read: (table, ids) => data.read(table, ids),
      scan: (table, after, limit) => data.scan(table, after, limit),
      last: (table) => data.last(table),
      // The hand-over comes with its content, the outcome alone.
      commit: (changes) =>
        changes.length === 1 && changes[0]?.table === 'sent'
          ? Promise.reject(new Error('The disk is full.'))
          : data.commit(changes),
      settled: () => data.settled(),
    };
    const onFull = engineOn(full, { outcome: 'acknowledged' });
    const answer = await onFull.sender.send(delivery('not kept', { keep: true }), soon());
    expect(answer).toMatchObject({ outcome: 'acknowledged' });
    expect(answer).not.toHaveProperty('kept');
  });

  it('sends nothing to strangers after a refusal by a restriction, and the refused message again with the same attempt afterwards', async () => {
    const byRestriction: SendOutcome = { outcome: 'refused', code: 'PROFILE_RESTRICTED', reason: 'No (463).' };
    const { orders, sender, state } = engine(byRestriction, { outcome: 'acknowledged' });
    const code = 'PROFILE_RESTRICTED';
    expect(await sender.send(delivery('R1'), soon())).toMatchObject({ outcome: 'refused', code, restriction });
    expect(await sender.send(delivery('R2'), soon())).toMatchObject({ outcome: 'refused', code, restriction });
    expect(await sender.settle('R2', 1)).toEqual({ state: 'never-seen' });
    expect(orders).toHaveLength(1);
    expect(await sender.send(delivery('R3', { isKnownChat: true }), soon())).toMatchObject({ outcome: 'acknowledged' });
    expect(await sender.send(delivery('R4', { to: '1203630@g.us' }), soon())).toMatchObject({
      outcome: 'acknowledged',
    });
    state.restriction = undefined;
    expect(await sender.send(delivery('R1'), soon())).toMatchObject({ outcome: 'acknowledged' });
    expect(orders.map(({ networkMessageId }) => networkMessageId)).toEqual(['R1', 'R3', 'R4', 'R1']);
  });

  it('does not hand over again to a stranger what may have left, while the account is restricted', async () => {
    const { orders, sender, state } = engine({ outcome: 'handed-over' });
    await sender.send(delivery('R5'), soon());
    state.restriction = restriction;
    expect(await sender.send(delivery('R5'), soon())).toMatchObject({ outcome: 'handed-over' });
    expect(orders).toHaveLength(1);
  });

  it('learns of a restriction that the network names after the wait', async () => {
    const { orders, sender, state } = engine({ outcome: 'handed-over' });
    await sender.send(delivery('R6'), soon());
    orders[0]?.late?.({ outcome: 'refused', code: 'PROFILE_RESTRICTED', reason: 'No (463).' });
    expect(state.restriction).toEqual(restriction);
  });

  it('sends again what may have left, and says so while there is no connection', async () => {
    const { orders, sender, state } = engine({ outcome: 'handed-over' }, { outcome: 'acknowledged' });
    expect(await sender.send(delivery('B'), soon())).toMatchObject({ outcome: 'handed-over' });
    state.isConnected = false;
    expect(await sender.send(delivery('B'), soon())).toMatchObject({ outcome: 'handed-over' });
    state.isConnected = true;
    expect(await sender.send(delivery('B'), soon())).toMatchObject({ outcome: 'acknowledged' });
    expect(orders.map(({ networkMessageId }) => networkMessageId)).toEqual(['B', 'B']);
  });

  it.each<[string, SendOutcome, object]>([
    ['acknowledged', { outcome: 'acknowledged' }, { state: 'acknowledged' }],
    ['refused', refused, { state: 'refused', code: 'ENGINE_REFUSED' }],
  ])(
    'takes it when a message is %s after the wait for that: whoever asks is told, and nothing goes again',
    async (state, answer, settled) => {
      const { orders, sender } = engine({ outcome: 'handed-over' });
      const id = `late ${state}`;
      expect(await sender.send(delivery(id), soon())).toMatchObject({ outcome: 'handed-over' });
      expect(await sender.settle(id, 1)).toMatchObject({ state: 'handed-over' });
      orders[0]?.late?.(answer);
      expect(await sender.settle(id, 1)).toMatchObject(settled);
      expect(await sender.send(delivery(id), soon())).toMatchObject({ outcome: state });
      expect(orders).toHaveLength(1);
    },
  );

  it('tries a refused message again for a higher attempt only', async () => {
    const { orders, sender } = engine(refused, { outcome: 'acknowledged' });
    expect(await sender.send(delivery('C'), soon())).toMatchObject(refused);
    expect(await sender.send(delivery('C'), soon())).toMatchObject(refused);
    expect(await sender.send(delivery('C', { attempt: 2 }), soon())).toMatchObject({ outcome: 'acknowledged' });
    expect(orders).toHaveLength(2);
  });

  it('lets nothing leave without a connection, or too late', async () => {
    const { orders, sender, state } = engine({ outcome: 'acknowledged' });
    state.isConnected = false;
    await expect(sender.send(delivery('D'), soon())).rejects.toMatchObject({
      code: 'PROFILE_NOT_CONNECTED',
      details: nothingLeft,
    });
    state.isConnected = true;
    await expect(sender.send(delivery('D'), clock.now())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: nothingLeft,
    });
    expect(orders).toHaveLength(0);
    expect(await sender.settle('D', 1)).toEqual({ state: 'never-seen' });
  });

  it('refuses whoever owned the lane before, also at the next holder of the profile', async () => {
    const profileId = randomUUID();
    const stale = (laneEpoch: number) => ({ code: 'CONFLICT', details: { ...nothingLeft, laneEpoch } });
    const first = engineOn(await store.open(profileId, 1), { outcome: 'acknowledged' });
    await first.sender.send(delivery('E', { laneEpoch: 2 }), soon());
    await expect(first.sender.send(delivery('D', { laneEpoch: 1 }), soon())).rejects.toMatchObject(stale(2));
    const second = engineOn(await store.open(profileId, 2), { outcome: 'acknowledged' });
    expect(await second.sender.settle('D', 3)).toEqual({ state: 'never-seen' });
    await expect(second.sender.send(delivery('D', { laneEpoch: 2 }), soon())).rejects.toMatchObject(stale(3));
    const third = engineOn(await store.open(profileId, 3), { outcome: 'acknowledged' });
    await expect(third.sender.settle('D', 2)).rejects.toMatchObject(stale(3));
    expect([first, second, third].map(({ orders }) => orders.length)).toEqual([1, 0, 0]);
  });

  it('passes on that nothing has left', async () => {
    const { sender } = engine(new Refused('ENGINE_REFUSED', 'No session.', nothingLeft));
    await expect(sender.send(delivery('F'), soon())).rejects.toMatchObject({
      code: 'ENGINE_REFUSED',
      details: nothingLeft,
    });
    expect(await sender.settle('F', 1)).toEqual({ state: 'never-seen' });
  });

  it('keeps records for 72 hours', async () => {
    const { sender } = engine({ outcome: 'acknowledged' });
    await sender.send(delivery('G'), soon());
    await sweep(data, clock.now() + 71 * 3_600_000);
    expect(await sender.settle('G', 1)).toMatchObject({ state: 'acknowledged' });
    await sweep(data, clock.now() + 73 * 3_600_000);
    expect(await sender.settle('G', 1)).toEqual({ state: 'never-seen' });
    expect(await data.read('content', ['G'])).toEqual([undefined]);
  });
});
