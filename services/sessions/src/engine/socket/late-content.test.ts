import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Content } from '@messaging-gateway/network-simulator';
import { contentsTest, type ContentsTest } from '../../testing/contents-test.ts';
import { until, type TestProfile } from '../../testing/engine-harness.ts';
import type { Fact } from '../engine.ts';

type Message = Extract<Fact, { kind: 'message' }>;

describe('socket-engine: stanzas that differ from ordinary messages', () => {
  let test: ContentsTest;
  let profile: TestProfile;
  let simulator: ContentsTest['simulator'];
  const phone = '4915120000320';
  const contact = '4915100000320';
  const messages = (id: string): Message[] =>
    profile.facts.filter((fact): fact is Message => fact.kind === 'message' && fact.data.networkMessageId === id);
  const message = (id: string): Promise<Message> => until(() => messages(id)[0]);
  const unavailable = [{ tag: 'unavailable', attrs: {} }];

  beforeAll(async () => {
    test = await contentsTest(phone, contact);
    ({ profile, simulator } = test);
  });
  afterAll(() => test.stop());

  /** Everything that came before is handled once this is received. */
  const settled = async (): Promise<void> => {
    await test.received({ type: 'text', text: `settled ${Math.random()}` });
  };

  it.each(['lid', 'phone'] as const)('a broadcast list shows in the chat with its author (%s)', async (addressing) => {
    await simulator.configureContact(contact, { addressing });
    const written = { to: phone, broadcast: '1700000000' };
    const { id } = await simulator.sendFromContact(contact, { ...written, text: 'promo' });
    const again = await simulator.sendFromContact(contact, { ...written, text: 'again', unreadable: true });
    for (const one of [id, again.id]) {
      const { data } = await message(one);
      expect(data).toMatchObject({
        chat: { jid: `${contact}@c.us` },
        author: { jid: `${contact}@c.us` },
        fromMe: false,
        broadcast: true,
      });
    }
    await profile.session.markRead(`${contact}@c.us`, [{ networkMessageId: id }]);
    await until(async () => (await simulator.written(contact)).find((one) => one.id === id)?.readAt);
    await simulator.configureContact(contact, { addressing: 'lid' });
  });

  describe('encrypted changes', () => {
    it.each(['lid', 'phone'] as const)('an edit is one change of its message (%s)', async (addressing) => {
      await simulator.configureContact(contact, { addressing });
      const { data } = await test.received({ type: 'text', text: 'before' });
      await simulator.configureContact(contact, { addressing: addressing === 'lid' ? 'phone' : 'lid' });
      const before = profile.facts.length;
      const target = data.networkMessageId;
      const change = await test.changed({ type: 'edit', target, text: 'after', encrypted: true });
      expect(change).toMatchObject({
        target: { networkMessageId: target, fromMe: false, author: `${contact}@c.us` },
        change: { type: 'edited', content: { type: 'text', content: { text: 'after' } } },
      });
      await settled();
      expect(profile.facts.slice(before).filter(({ kind }) => kind === 'change')).toHaveLength(1);
      expect(profile.facts.slice(before).filter(({ kind }) => kind === 'message')).toHaveLength(1);
      await simulator.configureContact(contact, { addressing: 'lid' });
    });

    it('reactions to messages of both sides, answers to events, and their metrics', async () => {
      const own = await test.sent({ type: 'text', content: { text: 'Like me' } });
      expect(await test.changed({ type: 'reaction', target: own.id, emoji: '👍', encrypted: true })).toMatchObject({
        target: { networkMessageId: own.id, fromMe: true },
        change: { type: 'reacted', emoji: '👍' },
      });
      const theirs = (await test.received({ type: 'text', text: 'Party?' })).data.networkMessageId;
      expect(await test.changed({ type: 'reaction', target: theirs, emoji: '❤️', encrypted: true })).toMatchObject({
        target: { networkMessageId: theirs, fromMe: false },
        change: { type: 'reacted', emoji: '❤️' },
      });
      expect(await test.changed({ type: 'eventResponse', target: theirs, response: 'GOING' })).toMatchObject({
        change: { type: 'reacted', emoji: '✅' },
      });
      const before = profile.facts.length;
      await simulator.sendFromContact(contact, {
        to: phone,
        content: { type: 'comment', target: theirs, text: 'Nice' },
      });
      await settled();
      expect(profile.facts.slice(before)).toHaveLength(1);
      expect(profile.ignored).toContain('encCommentMessage');
    });

    it('of an unknown message publish nothing and are counted', async () => {
      const { id } = await simulator.sendFromContact(contact, {
        to: '4915100000321',
        content: { type: 'text', text: 'Elsewhere' },
      });
      const before = profile.facts.length;
      await simulator.sendFromContact(contact, {
        to: phone,
        content: { type: 'edit', target: id, text: 'Never', encrypted: true },
      });
      await until(() => profile.unreadable.includes('edit'));
      await settled();
      expect(profile.facts.slice(before)).toHaveLength(1);
    });

    it('that arrive before their message are applied when it is there', async () => {
      const id = '3EB0EARLYEDIT';
      await simulator.sendFromContact(contact, { to: phone, id, text: 'before', late: true });
      const edit: Content = { type: 'edit', target: id, text: 'after', encrypted: true };
      await simulator.sendFromContact(contact, { to: phone, content: edit });
      await message(id);
      const changes = await until(() => {
        const found = profile.facts.filter(
          (fact) => fact.kind === 'change' && fact.data.target.networkMessageId === id,
        );
        return found.length > 0 && found;
      });
      expect(changes).toHaveLength(1);
      expect(changes[0]).toMatchObject({ data: { change: { content: { content: { text: 'after' } } } } });
    });

    it('every message that leaves has a secret', async () => {
      const { raw } = await test.sent({ type: 'text', content: { text: 'Hello' } });
      expect(raw).toMatchObject({ messageContextInfo: { messageSecret: expect.stringMatching(/^.{43}=$/) } });
    });
  });

  describe('messages without content', () => {
    it('are ordinary when the phone hands the content over in time', async () => {
      await simulator.configureContact(phone, { resendAfterMs: 0 });
      const text = { to: phone, text: 'Hello, I saw your ad', instead: unavailable };
      const { id } = await simulator.sendFromContact(contact, text);
      const { data } = await message(id);
      expect(data).toMatchObject({
        content: { type: 'text', content: { text: 'Hello, I saw your ad' } },
        author: { jid: `${contact}@c.us` },
      });
      expect(data).not.toHaveProperty('recovered');
      // The content has its secret with it.
      await test.changed({ type: 'edit', target: id, text: 'I saw it', encrypted: true });
      await simulator.configureContact(phone, { resendAfterMs: -1 });
    });

    it('are published without content, and once more when the content comes later', async () => {
      await simulator.configureContact(phone, { resendAfterMs: 8_000 });
      const sentAt = Date.now();
      const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'An ad', instead: unavailable });
      const placeholder = await message(id);
      expect(Date.now() - sentAt).toBeGreaterThan(3_000);
      expect(placeholder.data.content).toEqual({
        type: 'unsupported',
        content: { kind: 'unavailable', reason: 'notDelivered' },
      });
      await simulator.configureContact(phone, { resendAfterMs: -1 });
      await until(() => messages(id).length === 2);
      expect(messages(id)[1]?.data).toMatchObject({
        recovered: true,
        content: { type: 'text', content: { text: 'An ad' } },
      });
      // The same content again, now as a stanza of its own.
      await simulator.sendFromContact(contact, { to: phone, id, text: 'An ad' });
      await settled();
      expect(messages(id)).toHaveLength(2);
      expect(profile.unreadable).toContain('notDelivered');
    });

    it('are recovered by a stanza with content', async () => {
      const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'Later', instead: [] });
      await message(id);
      await simulator.sendFromContact(contact, { to: phone, id, text: 'Later', times: 2 });
      await until(() => messages(id).length === 2);
      await settled();
      expect(messages(id).map(({ data }) => data.recovered)).toEqual([undefined, true]);
    });

    it.each(['view_once', 'view_once_unavailable_fanout'])('that are shown once say so: %s', async (type) => {
      await simulator.configureContact(phone, { resendAfterMs: 0 });
      const { resendsAsked } = await simulator.statistics();
      const instead = [{ tag: 'unavailable', attrs: { type } }];
      const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'Once', instead });
      const { data } = await message(id);
      expect(data.content).toEqual({
        type: 'unsupported',
        content: { kind: 'unavailable', reason: 'viewOnce', viewOnce: true },
      });
      expect((await simulator.statistics()).resendsAsked).toBe(resendsAsked);
      await simulator.configureContact(phone, { resendAfterMs: -1 });
    });

    it('of bots and of one’s own devices are ignored', async () => {
      const before = profile.facts.length;
      const instead = [{ tag: 'unavailable', attrs: { type: 'bot_unavailable_fanout' } }];
      await simulator.sendFromContact(contact, { to: phone, text: 'Bot', instead });
      await settled();
      expect(profile.ignored).toContain('bot');
      expect(profile.facts.slice(before)).toHaveLength(1);
    });

    it('that nobody can decrypt are published after the last retry', async () => {
      const { ids } = await simulator.storm(contact, { to: phone, count: 2 });
      for (const id of ids) {
        const { data } = await message(id);
        expect(data.content).toEqual({
          type: 'unsupported',
          content: { kind: 'unavailable', reason: 'notDecrypted' },
        });
      }
      expect(profile.unreadable.filter((reason) => reason === 'notDecrypted')).toHaveLength(2);
    });

    it('that are decrypted after a retry are published once', async () => {
      const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'Legible now', unreadable: true });
      const { data } = await message(id);
      expect(data.content).toMatchObject({ type: 'text', content: { text: 'Legible now' } });
      await settled();
      expect(messages(id)).toHaveLength(1);
    });
  });
});
