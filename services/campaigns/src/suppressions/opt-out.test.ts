import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CreateSuppression, GetOptOutSettings, MessageSent, UpdateOptOutSettings } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { testClock } from '@messaging-gateway/runtime';
import { recordOptOut } from './opt-out.ts';
import { OptOutWords } from './opt-out-settings.ts';
import { SuppressionsFixture, ada, lid } from './suppressions.fixture.ts';

let fixture: SuppressionsFixture;
beforeAll(async () => {
  fixture = await SuppressionsFixture.start({ replicas: 2 });
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const set = (body: object) => fixture.call(UpdateOptOutSettings, { body });
const reasons = async () => (await fixture.page()).items.map(({ reason }) => reason);
const hours = 3_600_000;

describe('an opt-out word', () => {
  it.each(['stop.', ' UNSUBSCRIBE! ', '"Berhenti"', 'p a r a r', 'BAJA 🛑'])(
    '%j puts its sender on the list',
    async (body) => {
      await fixture.writes(body);
      expect((await fixture.page()).items).toMatchObject([
        { phone: ada, reason: expect.stringMatching(/^opt-out: [A-Z]+$/) },
      ]);
      expect(await fixture.suppressed({ phone: ada })).toEqual([true]);
    },
  );

  it('counts alone, from people, in private chats, whatever profile it is sent to', async () => {
    await fixture.writes('please stop');
    await fixture.writes('stop', '120363000000000000@g.us', { author: `${ada}@c.us` });
    await fixture.writes('stop', 'status@broadcast');
    expect((await fixture.page()).total).toBe(0);
    fixture.profileId = v7();
    await fixture.writes('stop', lid);
    expect(await fixture.suppressed({ phone: ada, lid })).toEqual([true]);
  });

  it('holds for every form of the number that the network has returned', async () => {
    const [requested, returned] = ['5511987654321', '551187654321'];
    const { caller, profileId } = fixture;
    const data = {
      messageId: v7(),
      networkMessageId: '3EB0AA',
      to: `${returned}@c.us`,
      requestedTo: `${requested}@c.us`,
      type: 'text' as const,
      conversationId: v7(),
      origin: 'api' as const,
    };
    const { organizationId } = caller;
    await fixture.service.emit(MessageSent, data, { organizationId, profileId });
    expect(await fixture.suppressed({ phone: requested }, { phone: returned })).toEqual([false, false]);
    await fixture.writes('stop', `${returned}@c.us`);
    expect(await fixture.suppressed({ phone: requested }, { phone: returned }, { phone: ada })).toEqual([
      true,
      true,
      false,
    ]);
    expect(await fixture.list.isSuppressed(organizationId, { phone: requested })).toBe(true);
  });

  it('is heard however long the inbox is away meanwhile', async () => {
    const { clock } = fixture.service;
    fixture.inboxIsAway = true;
    const before = fixture.askedInVain;
    const heard = fixture.writes('stop');
    const waiting = new Promise<void>((resolve) => {
      const pass = setInterval(() => {
        clock.advance(30_000);
        if (fixture.askedInVain < before + 10) return;
        clearInterval(pass);
        resolve();
      }, 20);
    });
    await Promise.race([waiting, heard]);
    fixture.inboxIsAway = false;
    await heard;
    expect((await fixture.page()).total).toBe(1);
  });

  it('told twice counts once: whom the organization takes off the list stays off', async () => {
    const id = await fixture.writes('stop');
    await fixture.writes('start');
    expect((await fixture.page()).total).toBe(0);
    await fixture.writes('stop', `${ada}@c.us`, { id });
    expect((await fixture.page()).total).toBe(0);
  });

  it('and the word to come back count by when they were written', async () => {
    const at = (minute: number) => ({ timestamp: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() });
    await fixture.writes('stop', `${ada}@c.us`, at(2));
    await fixture.writes('start', `${ada}@c.us`, at(1));
    expect((await fixture.page()).total).toBe(1);
    await fixture.writes('start', `${ada}@c.us`, at(4));
    await fixture.writes('stop', `${ada}@c.us`, at(3));
    expect((await fixture.page()).total).toBe(0);
  });

  it('to come back takes off by either name, whoever put the person there', async () => {
    await fixture.writes('start');
    fixture.known.set(ada, lid);
    await fixture.call(CreateSuppression, { body: { phone: ada, reason: 'complained' } });
    await fixture.writes(' Start! ', lid);
    expect([await fixture.suppressed({ phone: ada }, { lid }), (await fixture.page()).total]).toEqual([
      [false, false],
      0,
    ]);
  });

  it('stands in the audit', async () => {
    await fixture.writes('stop');
    await fixture.writes('start');
    const id = (await fixture.audited())[0]?.stream;
    expect(await fixture.audited()).toMatchObject([
      { action: 'suppression.opt_out', actor: 'service:campaigns', stream: expect.stringMatching(/^suppression-/) },
      { action: 'suppression.resume', actor: 'service:campaigns', stream: id },
    ]);
  });

  it('costs nothing in a text that can be none', async () => {
    const event = { data: { body: 'x'.repeat(300), from: `${ada}@c.us` } };
    for (const body of ['x'.repeat(300), '', 'stop '.repeat(100), undefined])
      await recordOptOut({} as never, { data: { ...event.data, body } } as never);
    await recordOptOut({} as never, { data: { body: 'stop', from: '120363000000000000@g.us' } } as never);
  });

  it('costs nothing in a text of a few letters, within five seconds after another one', async () => {
    const read: string[] = [];
    const clock = testClock();
    const store = { load: async (_: unknown, id: string) => (read.push(id), { state: {}, version: 0 }) };
    const words = new OptOutWords({ store: store as never, clock });
    const event = { organizationId: 'o', data: { body: 'hello', from: `${ada}@c.us` } } as never;
    for (let count = 0; count < 3; count += 1) await recordOptOut({ words } as never, event);
    expect(read).toEqual(['o']);
    clock.advance(5000);
    await recordOptOut({ words } as never, event);
    expect(read).toEqual(['o', 'o']);
  });
});

describe('words of an organization', () => {
  const usual = {
    words: ['STOP', 'UNSUBSCRIBE', 'BERHENTI', 'PARAR', 'BAJA'],
    resumeWords: ['START'],
    confirmation: null,
    resumeConfirmation: null,
  };

  it('are the usual ones until they are changed, field by field', async () => {
    expect((await fixture.call(GetOptOutSettings)).body).toEqual(usual);
    expect((await set({ words: ['Abmelden', 'keine Werbung'] })).body).toEqual({
      ...usual,
      words: ['Abmelden', 'keine Werbung'],
    });
    expect((await set({ confirmation: 'Done.' })).body).toMatchObject({
      words: ['Abmelden', 'keine Werbung'],
      confirmation: 'Done.',
    });
    await set({ confirmation: null });
    expect((await fixture.call(GetOptOutSettings)).body).toEqual({ ...usual, words: ['Abmelden', 'keine Werbung'] });
    fixture.service.clock.advance(5000);
    await fixture.writes('stop');
    await fixture.writes('KeineWerbung.');
    expect(await reasons()).toEqual(['opt-out: keine Werbung']);
  });

  it('are known to all replicas within five seconds', async () => {
    await fixture.writes('hello');
    await fixture.writes('hello');
    await set({ words: ['weg'] });
    fixture.service.clock.advance(5000);
    await fixture.writes('stop');
    await fixture.writes('stop', '4915100000001@c.us');
    expect(await reasons()).toEqual([]);
    await fixture.writes('weg');
    expect(await reasons()).toEqual(['opt-out: weg']);
  });

  it('may be none', async () => {
    await set({ words: [], resumeWords: [] });
    fixture.service.clock.advance(5000);
    await fixture.writes('stop');
    await fixture.writes('');
    expect(await reasons()).toEqual([]);
  });

  it('are refused by name when they cannot be', async () => {
    for (const [body, path] of [
      [{ words: ['!?'] }, 'body.words'],
      [{ words: ['start!'] }, 'body.words'],
      [{ resumeWords: ['S.T.O.P'] }, 'body.resumeWords'],
      [{ words: ['x'.repeat(65)] }, 'body.words[0]'],
      [{ confirmation: '' }, 'body.confirmation'],
      [{ language: 'de' }, 'body.language'],
    ] as const)
      await expect(set(body)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: expect.arrayContaining([expect.objectContaining({ path })]),
      });
    expect((await fixture.call(GetOptOutSettings)).body).toEqual(usual);
  });
});

describe('a confirmation', () => {
  it('goes once to the chat, however often the word is told, and once a day', async () => {
    await set({ confirmation: 'You are off.', resumeConfirmation: 'Welcome back.' });
    fixture.service.clock.advance(5000);
    const id = await fixture.writes('stop', lid);
    const expected = {
      organizationId: fixture.caller.organizationId,
      profileId: fixture.profileId,
      to: lid,
      type: 'text',
      content: { text: 'You are off.' },
      origin: 'automation',
      actor: 'service:campaigns',
      attempts: 3,
    };
    expect(fixture.accepted).toMatchObject([expected]);
    await fixture.writes('stop', lid, { id });
    await fixture.writes('Stop!', lid);
    expect(new Set(fixture.accepted.map(({ messageId }) => messageId)).size).toBe(1);
    await fixture.writes('start', lid);
    await fixture.writes('stop', lid);
    expect(new Set(fixture.accepted.map(({ content }) => content['text']))).toEqual(
      new Set(['You are off.', 'Welcome back.']),
    );
    expect(new Set(fixture.accepted.map(({ messageId }) => messageId)).size).toBe(2);
    fixture.service.clock.advance(25 * hours);
    await fixture.writes('STOP', lid);
    expect(new Set(fixture.accepted.map(({ messageId }) => messageId)).size).toBe(3);
  });

  it('that outbound refuses changes nothing; one that it cannot take now is tried again', async () => {
    await set({ confirmation: 'You are off.' });
    fixture.service.clock.advance(5000);
    fixture.refusals.push('NOT_FOUND');
    await fixture.writes('stop');
    expect(await fixture.suppressed({ phone: ada })).toEqual([true]);
    expect(fixture.accepted).toHaveLength(1);
    fixture.refusals.push('SERVICE_UNAVAILABLE');
    await fixture.writes('stop', '4915100000001@c.us');
    const ids = fixture.accepted.slice(1).map(({ messageId }) => messageId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });
});
