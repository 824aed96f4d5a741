import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConversationHandover,
  DeleteConversation,
  DescribePerson,
  GetConversation,
  HandOverChat,
  HandoverConversation,
  ResumeConversation,
  conversationIdOf,
  type Operation,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { arrived, type Arrived } from './facts.fixture.ts';
import { InboxFixture, ada, type Chat } from './inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => {
  fixture.renew();
  fixture.handoverMinutes = undefined;
});

const minute = 60_000;
const lid = '100000000000007@lid';
const group = '120363000000000001@g.us';
const iso = (time: number): string => new Date(time).toISOString();
const fromNow = (minutes: number): string => iso(fixture.service.clock.now() + minutes * minute);
const idOf = (jid = `${ada}@c.us`): string => conversationIdOf(fixture.profileId, jid);

/** Ada writes. */
const come = (text = 'Hello', differences: Partial<Arrived> = {}): Promise<void> =>
  fixture.arrive(arrived(fixture.profileId, ada, text, differences));
/** The owner writes on the phone, at this moment. @returns when, as the network tells it */
async function write(differences: Partial<Arrived> = {}): Promise<number> {
  const now = fixture.service.clock.now();
  const sentAt = now - (now % 1000);
  const own = { fromMe: true, pushName: null, sentAt: iso(sentAt) };
  await fixture.arrive(arrived(fixture.profileId, ada, 'I am here', { ...own, ...differences }), {
    ...fixture.about(),
    time: iso(now),
  });
  return sentAt;
}
const call = (contract: Operation, body?: object, id = idOf(), caller = fixture.caller) =>
  fixture.service.call(contract, { caller, params: { id }, ...(body && { body }) });
const shown = async (id = idOf()): Promise<string | null> =>
  ((await call(GetConversation, undefined, id)).body as Chat).handoverUntil;
const change = async (contract: Operation, body?: object, id?: string): Promise<string | null> =>
  ((await call(contract, body, id)).body as Chat).handoverUntil;
const asked = async (jid = `${ada}@c.us`, about = fixture.about()) => {
  const { conversationId, handoverUntil } = await fixture.service.ask(DescribePerson, { ...about, jid });
  return { conversationId, handoverUntil };
};
const told = async () => (await fixture.toldAs(ConversationHandover)).map(({ data }) => data);

describe('what the owner writes on the phone', () => {
  it('silences the chat for an hour, and longer with each message', async () => {
    await come();
    expect([await shown(), await asked()]).toEqual([null, { conversationId: idOf(), handoverUntil: null }]);
    const first = iso((await write()) + 60 * minute);
    expect([await shown(), (await asked()).handoverUntil]).toEqual([first, first]);
    fixture.service.clock.advance(10 * minute);
    const second = iso((await write()) + 60 * minute);
    expect([await shown(), (await fixture.conversations()).items[0]?.handoverUntil]).toEqual([second, second]);
    expect(await told()).toEqual(
      [first, second].map((until) => ({ conversationId: idOf(), profileId: fixture.profileId, until })),
    );
    fixture.service.clock.advance(60 * minute);
    expect([await shown(), await asked()]).toEqual([null, { conversationId: idOf(), handoverUntil: null }]);
  });

  it('silences a chat that begins with it', async () => {
    const until = iso((await write()) + 60 * minute);
    expect(await asked()).toEqual({ conversationId: idOf(), handoverUntil: until });
  });

  it('silences it for as long as the profile says at that moment, and not at all with 0', async () => {
    fixture.handoverMinutes = 0;
    await write();
    expect(await shown()).toBeNull();
    fixture.handoverMinutes = 5;
    const until = iso((await write()) + 5 * minute);
    expect(await shown()).toBe(until);
    expect(await told()).toHaveLength(1);
  });

  it('counts from when it was written, once, and not as history', async () => {
    const now = fixture.service.clock.now();
    const ago = (minutes: number): string => iso(now - (now % 1000) - minutes * minute);
    await write({ delivery: 'history', sentAt: ago(1) });
    await write({ delivery: 'replayed', sentAt: ago(61) });
    await write({ delivery: 'replayed', sentAt: ago(100_000) });
    expect(await shown()).toBeNull();
    const late = { delivery: 'replayed' as const, sentAt: ago(20), networkMessageId: '3A01' };
    for (let time = 0; time < 2; time += 1) await write(late);
    expect(await shown()).toBe(ago(-40));
    expect(await told()).toHaveLength(1);
  });

  it('silences a person known by LID and by phone in one conversation', async () => {
    const byLid = { jid: lid, lid };
    await come('By LID', { chat: byLid, author: byLid });
    await write({ chat: byLid });
    const silenced = (await asked(lid)).handoverUntil;
    expect(silenced).not.toBeNull();
    expect(await asked()).toEqual({ conversationId: null, handoverUntil: null });
    const both = { jid: `${ada}@c.us`, phone: ada, lid };
    await come('By both', { chat: both, author: both });
    for (const jid of [lid, `${ada}@c.us`])
      expect(await asked(jid)).toEqual({ conversationId: idOf(lid), handoverUntil: silenced });
    fixture.service.clock.advance(minute);
    const until = iso((await write()) + 60 * minute);
    for (const id of [idOf(), idOf(lid)]) expect(await shown(id)).toBe(until);
    expect((await told()).at(-1)).toMatchObject({ conversationId: idOf(lid), aliases: [idOf()], until });
  });

  it('silences a group, and nobody of it elsewhere', async () => {
    await come();
    await come('To all', { chat: { jid: group } });
    const until = iso((await write({ chat: { jid: group } })) + 60 * minute);
    expect(await asked(group)).toEqual({ conversationId: idOf(group), handoverUntil: until });
    expect((await asked()).handoverUntil).toBeNull();
  });

  it('silences nothing for a profile that is gone', async () => {
    fixture.sessionsRefuses = 'NOT_FOUND';
    await write();
    expect(await shown()).toBeNull();
    fixture.sessionsRefuses = undefined;
  });
});

describe('a conversation', () => {
  beforeEach(() => come());

  it('is handed over for the minutes of the profile, which shorten nothing, or until a time', async () => {
    const earliest = fromNow(60);
    const first = await change(HandoverConversation);
    expect([earliest <= `${first}`, `${first}` <= fromNow(60)]).toEqual([true, true]);
    const long = fromNow(300);
    expect(await change(HandoverConversation, { until: long })).toBe(long);
    expect(await change(HandoverConversation, {})).toBe(long);
    await write();
    expect(await shown()).toBe(long);
    const short = fromNow(1);
    expect(await change(HandoverConversation, { until: short })).toBe(short);
    expect((await told()).map(({ until }) => until)).toEqual([first, long, short]);
  });

  it('is given back, whatever was written on the phone before', async () => {
    const before = iso((await write()) - minute);
    expect(await shown()).not.toBeNull();
    expect(await change(ResumeConversation)).toBeNull();
    await write({ delivery: 'replayed', sentAt: before });
    expect([await change(ResumeConversation), await asked()]).toEqual([
      null,
      { conversationId: idOf(), handoverUntil: null },
    ]);
    expect((await told()).map(({ until }) => until === null)).toEqual([false, true]);
    fixture.service.clock.advance(minute);
    await write();
    expect(await shown()).not.toBeNull();
  });

  it('is given back under both names of its person', async () => {
    const byLid = { jid: lid, lid };
    await write({ chat: byLid });
    const both = { jid: `${ada}@c.us`, phone: ada, lid };
    await come('By both', { chat: both, author: both });
    await change(HandoverConversation);
    expect(await shown()).not.toBeNull();
    expect(await change(ResumeConversation, undefined, idOf(lid))).toBeNull();
    expect((await asked(lid)).handoverUntil).toBeNull();
  });

  it.each([{ until: '2020-01-01T00:00:00.000Z' }, { until: 'soon' }, { until: 5 }, { until: null }])(
    'is not handed over by %j',
    async (body) => {
      await expect(call(HandoverConversation, body)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [expect.objectContaining({ path: 'body.until' })],
      });
      expect([await shown(), await told()]).toEqual([null, []]);
    },
  );

  it('of a profile that silences none needs a time', async () => {
    fixture.handoverMinutes = 0;
    await expect(call(HandoverConversation)).rejects.toMatchObject({ details: [{ path: 'body.until' }] });
    const until = fromNow(1);
    expect(await change(HandoverConversation, { until })).toBe(until);
  });

  it('stays handed over when it is deleted here, its views are made anew and the service starts again', async () => {
    await change(HandoverConversation, { until: fromNow(300) });
    const until = await shown();
    await call(DeleteConversation);
    expect((await asked()).handoverUntil).toBe(until);
    await come('Me again');
    expect(await shown()).toBe(until);
    await fixture.service.rebuildViews();
    expect(await shown()).toBe(until);
    await fixture.service.restart();
    expect([await shown(), (await asked()).handoverUntil]).toEqual([until, until]);
  });

  it('is handed over by a flow, once, for an hour where the phone silences nothing', async () => {
    const { organizationId } = fixture.caller;
    const flow = { organizationId, conversationId: idOf(), actor: 'service:automation', once: v7() };
    const ask = (differences: object = {}) => fixture.service.ask(HandOverChat, { ...flow, ...differences });
    fixture.handoverMinutes = 5;
    const { until } = await ask();
    expect([until, `${until}` <= fromNow(5)]).toEqual([await shown(), true]);
    fixture.handoverMinutes = 0;
    expect(await ask()).toEqual({ until });
    const longer = await ask({ once: v7() });
    expect([`${longer.until}` > fromNow(59), await shown()]).toEqual([true, longer.until]);
    await change(ResumeConversation);
    expect([await ask(), await shown()]).toEqual([{ until: null }, null]);
    for (const other of [{ organizationId: v7() }, { conversationId: v7() }])
      await expect(ask(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is nobody else’s to hand over or to ask about', async () => {
    const limited = { ...fixture.caller, apiKeyId: v7(), profileIds: [v7()] };
    for (const contract of [HandoverConversation, ResumeConversation]) {
      await expect(call(contract, undefined, idOf(), testCaller())).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(call(contract, undefined, idOf(), limited)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(call(contract, undefined, v7())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await change(HandoverConversation);
    const nothing = { conversationId: null, handoverUntil: null };
    expect(await asked(undefined, { ...fixture.about(), organizationId: v7() })).toEqual(nothing);
    expect(await asked(undefined, { ...fixture.about(), profileId: fixture.otherProfile() })).toEqual(nothing);
  });
});
