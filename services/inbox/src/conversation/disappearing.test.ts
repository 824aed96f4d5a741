import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConversationDisappearing,
  SessionDisappearing,
  SetDisappearing,
  SetDisappearingTimer,
  conversationIdOf,
  type DataOf,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller } from '@messaging-gateway/service/testing';
import { arrived } from '../facts.fixture.ts';
import { InboxFixture, ada, ownNumber } from '../inbox.fixture.ts';

const week = 604_800;
const day = 86_400;
let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(async () => {
  fixture.renew();
  await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
});

const idOf = () => conversationIdOf(fixture.profileId, `${ada}@c.us`);
const report = (seconds: number, differences: Partial<DataOf<typeof SessionDisappearing>> = {}) => {
  const chat = { jid: `${ada}@c.us`, phone: ada };
  const at = '2026-02-01T10:00:00.000Z';
  const data = { profileId: fixture.profileId, chat, author: chat, fromMe: false, seconds, at, ...differences };
  return fixture.service.emit(SessionDisappearing, data, fixture.about());
};
const shown = async () => (await fixture.conversations()).items[0]?.disappearAfterSeconds;
const published = async () => (await fixture.toldAs(ConversationDisappearing)).map(({ data }) => data);
const set = (seconds: 0 | 86_400 | 604_800 | 7_776_000, caller = fixture.caller) =>
  fixture.service.call(SetDisappearing, { caller, params: { id: idOf() }, body: { seconds } });

describe('a conversation whose messages disappear', () => {
  it('shows the timer that was set last, and publishes each change', async () => {
    expect(await shown()).toBeNull();
    await report(week);
    expect(await shown()).toBe(week);
    await report(day, { at: '2026-02-01T09:00:00.000Z' });
    await report(week, { at: '2026-02-01T10:30:00.000Z' });
    expect(await shown()).toBe(week);
    await report(0, { at: '2026-02-01T11:00:00.000Z', fromMe: true });
    expect(await shown()).toBeNull();
    const conversationId = idOf();
    const author = `${ada}@c.us`;
    expect(await published()).toEqual([
      { conversationId, seconds: week, author, fromMe: false },
      { conversationId, seconds: 0, author, fromMe: true },
    ]);
  });

  it('does not publish a timer that the phone listed as history', async () => {
    await report(day, { history: true });
    expect(await shown()).toBe(day);
    expect(await published()).toEqual([]);
  });

  it('gets a timer through the profile, which is published once', async () => {
    const asked: object[] = [];
    const at = '2026-02-01T12:00:00.000Z';
    await fixture.service.fake(
      SetDisappearingTimer,
      ({ chat, seconds }) => {
        asked.push({ chat, seconds });
        return { at };
      },
      fixture.profileId,
    );
    expect(await set(week)).toMatchObject({ status: 200, body: { id: idOf(), disappearAfterSeconds: week } });
    await report(week, { at, fromMe: true });
    expect(asked).toEqual([{ chat: `${ada}@c.us`, seconds: week }]);
    expect(await published()).toEqual([
      { conversationId: idOf(), seconds: week, author: `${ownNumber}@c.us`, fromMe: true },
    ]);
    await expect(set(week, testCaller())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keeps its timer when the network refuses another one', async () => {
    await report(day);
    await fixture.service.fake(
      SetDisappearingTimer,
      () => {
        throw new Refused('FORBIDDEN', 'The profile is no admin.');
      },
      fixture.profileId,
    );
    await expect(set(week)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await shown()).toBe(day);
  });
});
