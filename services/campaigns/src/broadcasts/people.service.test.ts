import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ContactUpdated, MessageReceived, type DataOf } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { broadcastsTest, people, person, type BroadcastsTest } from './broadcasts.fixture.ts';

let test: BroadcastsTest;
beforeAll(async () => void (test = await broadcastsTest()));
afterAll(() => test.stop());
beforeEach(() => test.others.begin());

const lid = '77001@lid';
const idAt = (place: number): string => test.others.audience[place]?.contactId ?? '';
const tellOfContact = (id: string, data: object) =>
  test.service.emit(ContactUpdated, { id, profileId: null, ...data } as DataOf<typeof ContactUpdated>, {
    organizationId: test.caller.organizationId,
    key: id,
  });
/** A broadcast of which the first message is on its way. */
const begun = async (given: object = {}): Promise<string> => {
  test.others.outcome = () => 'silent';
  const { id } = await test.create(given);
  await test.start(id);
  await test.passUntil(() => test.others.accepted.length === 1);
  return id;
};
const ended = async (id: string) => {
  test.others.outcome = () => 'sent';
  await test.settle(test.others.accepted[0] as never);
  await test.passUntil(test.isOver(id));
  return test.get(id);
};

describe('a person', () => {
  it('whom two pages of contacts have, by LID and by phone, is one recipient', async () => {
    const byLid = { jid: lid, phone: null, lid };
    test.others.audience = [person(1, byLid), person(2), person(3, { lid })];
    const { id } = await test.create();
    expect(await test.start(id)).toMatchObject({ stats: { total: 2, skipped: 0 } });
    await test.passUntil(test.isOver(id));
    expect(test.others.accepted.map(({ to }) => to)).toEqual([lid, person(2).jid]);
    expect(await test.get(id)).toMatchObject({ status: 'completed', stats: { total: 2, sent: 2 } });
  });

  it('who is blocked on one of the pages is blocked', async () => {
    test.others.audience = [person(1, { jid: lid, phone: null, lid }), person(2), person(3, { lid, blocked: true })];
    const { id } = await test.create();
    expect(await test.start(id)).toMatchObject({ stats: { total: 2, skipped: 1 } });
    await test.passUntil(test.isOver(id));
    expect(test.others.accepted.map(({ to }) => to)).toEqual([person(2).jid]);
  });

  it('who turns out to be another one while it runs gets one message', async () => {
    test.others.audience = people(4);
    const id = await begun();
    await tellOfContact(idAt(3), { change: 'deleted', mergedInto: idAt(0) });
    await tellOfContact(idAt(2), { change: 'deleted', mergedInto: idAt(1) });
    expect(await ended(id)).toMatchObject({ stats: { total: 4, sent: 2, skipped: 2 } });
    expect(await test.recipients(id, { status: 'cancelled' })).toMatchObject([
      { contactId: idAt(1), error: { code: 'CONTACT_DELETED' } },
      { contactId: idAt(0), error: { code: 'CONTACT_DELETED' } },
    ]);
  });

  it('is written to by the name that the contact has then', async () => {
    const id = await begun();
    await tellOfContact(idAt(2), { change: 'updated', name: 'Grace' });
    await ended(id);
    expect(test.others.texts).toEqual(['Hello Person 0', 'Hello Person 1', 'Hello Grace']);
  });
});

describe('somebody whose message comes back as the day ended first', () => {
  const expire = async (): Promise<void> => {
    test.others.isConnected = false;
    const { messageId } = test.others.accepted[0] ?? { messageId: '' };
    await test.expire(messageId);
  };

  it('gets nothing when blocked or deleted meanwhile', async () => {
    for (const change of [{ change: 'updated', blocked: true }, { change: 'deleted' }]) {
      test.others.begin();
      const id = await begun();
      await tellOfContact(idAt(0), change);
      await expire();
      test.others.isConnected = true;
      test.others.outcome = () => 'sent';
      await test.passUntil(test.isOver(id), 5000);
      expect(await test.get(id)).toMatchObject({ status: 'completed', stats: { total: 3, sent: 2, skipped: 1 } });
    }
  });
});

it('an answer that is told before the message counts as well', async () => {
  const variants = ['a', 'b'].map((name) => ({ name, text: name }));
  const id = await begun({ message: { type: 'text', variants } });
  const first = test.others.accepted[0];
  const data = { ...(MessageReceived.example as DataOf<typeof MessageReceived>), id: v7(), from: first?.to ?? '' };
  const about = { organizationId: test.caller.organizationId, profileId: test.profileId };
  const timestamp = new Date(Math.ceil(test.service.clock.now() / 1000) * 1000).toISOString();
  await test.service.emit(MessageReceived, { ...data, timestamp }, about);
  const { stats } = await ended(id);
  expect(stats.variants?.map(({ replied }) => replied)).toEqual([1, 0]);
});

it('ends with the last message, not a pause later', async () => {
  const { id } = await test.create({ settings: { delayMin: 60_000, delayMax: 60_000 } });
  await test.start(id);
  await test.passUntil(async () => (await test.get(id)).stats.sent === 3, 5000);
  const now = test.service.clock.now();
  await test.passUntil(test.isOver(id));
  expect(test.service.clock.now() - now).toBeLessThan(60_000);
});
