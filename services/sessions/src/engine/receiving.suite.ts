import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Content, Simulator } from '@messaging-gateway/network-simulator';
import { bytes, contentsTest, hash, type ContentsTest } from '../testing/contents-test.ts';
import { until, type TestProfile } from '../testing/engine-harness.ts';
import type { EngineUnderTest } from '../testing/engine-under-test.ts';
import type { Attachment } from './engine.ts';

/** Every kind of content in, and every change of a message. */
export function receivingSuite(name: string, engineOn: EngineUnderTest): void {
  describe(`${name}: contents in`, () => {
    let test: ContentsTest;
    let profile: TestProfile;
    let simulator: Simulator;
    const phone = '4915120000310';
    const contact = '4915100000310';
    const sent: ContentsTest['sent'] = (content) => test.sent(content);
    const received: ContentsTest['received'] = (content) => test.received(content);
    const changed: ContentsTest['changed'] = (content) => test.changed(content);

    beforeAll(async () => {
      test = await contentsTest(phone, contact, engineOn);
      ({ profile, simulator } = test);
    });
    afterAll(() => test.stop());

    it.each<[string, Content, object]>([
      [
        'a location',
        { type: 'location', latitude: 1.5, longitude: -2.25, name: 'Here' },
        { type: 'location', content: { latitude: 1.5, longitude: -2.25, name: 'Here' } },
      ],
      [
        'a contact',
        { type: 'contact', contacts: [{ name: 'Ada', phone: '4915112345678', email: 'ada@example.com' }] },
        {
          type: 'contact',
          content: { contacts: [{ name: 'Ada', phone: '4915112345678', email: 'ada@example.com' }] },
        },
      ],
      [
        'a poll',
        { type: 'poll', question: 'Lunch?', options: ['Soup', 'Salad'], allowMultiple: true },
        { type: 'poll', content: { question: 'Lunch?', options: ['Soup', 'Salad'], allowMultiple: true } },
      ],
      [
        'text with mentions',
        { type: 'text', text: 'Hello @4915112345678', mentions: ['4915112345678'] },
        { type: 'text', content: { text: 'Hello @4915112345678' } },
      ],
    ])('%s', async (_, content, expected) => {
      expect((await received(content)).data.content).toMatchObject(expected);
    });

    it('an answer names what it answers', async () => {
      const own = await sent({ type: 'text', content: { text: 'Lunch?' } });
      expect((await received({ type: 'text', text: 'Yes', quoted: own.id })).data).toMatchObject({
        quotedNetworkMessageId: own.id,
        quotedBody: 'Lunch?',
        quotedFields: { type: 'text' },
      });
    });

    it.each<[string, object, object]>([
      ['an image', { imageMessage: { mimetype: 'image/png' } }, { type: 'image', mimetype: 'image/png' }],
      ['a voice note', { audioMessage: { ptt: true, seconds: 7 } }, { type: 'audio', ptt: true, seconds: 7 }],
      ['a sticker', { stickerMessage: { isAnimated: true } }, { type: 'sticker', animated: true }],
      ['a document', { documentMessage: { fileName: 'a.pdf' } }, { type: 'document', filename: 'a.pdf' }],
      ['a location', { locationMessage: { degreesLatitude: 1, degreesLongitude: 2 } }, { latitude: 1, longitude: 2 }],
      ['a contact', { contactMessage: { displayName: 'Ada', vcard: '' } }, { contacts: [{ name: 'Ada' }] }],
      [
        'a poll',
        { pollCreationMessage: { name: 'When?', options: [{ optionName: 'Now' }] } },
        { type: 'poll', question: 'When?', options: ['Now'] },
      ],
    ])('an answer to %s tells its type and small fields', async (_, quotedMessage, fields) => {
      const contextInfo = { stanzaId: '3EB0AA', participant: `${phone}@s.whatsapp.net`, quotedMessage };
      const message = { extendedTextMessage: { text: 'This one', contextInfo } };
      const { data } = await received({ type: 'raw', message });
      expect(data).toMatchObject({ quotedNetworkMessageId: '3EB0AA', quotedFields: fields });
      expect(data.quotedBody).toBeUndefined();
    });

    const media = { base64: bytes.toString('base64'), mimetype: 'image/png' };
    it.each<[string, Content, object]>([
      ['an image', { type: 'image', media, caption: 'Look' }, { type: 'image', content: { caption: 'Look' } }],
      ['a video', { type: 'video', media, gif: true }, { type: 'video', content: { gif: true } }],
      ['a voice note', { type: 'audio', media, ptt: true }, { type: 'audio', content: { ptt: true } }],
      [
        'a document',
        { type: 'document', media, filename: 'Plan.pdf' },
        { type: 'document', content: { filename: 'Plan.pdf', media: { filename: 'Plan.pdf' } } },
      ],
      [
        'a sticker',
        { type: 'sticker', media, animated: true },
        { type: 'image', content: { sticker: true, animated: true } },
      ],
      [
        'a forwarded image',
        { type: 'image', media, caption: 'Look', forwarded: true },
        { type: 'image', content: { caption: 'Look', forwarded: true } },
      ],
    ])('%s, with where the media are', async (_, content, expected) => {
      const { data, attachment } = await received(content);
      expect(data.content).toMatchObject(expected);
      expect(data.content).toMatchObject({ content: { media: { mimetype: 'image/png', size: bytes.length } } });
      const parts: Buffer[] = [];
      for await (const part of await profile.download(attachment as Attachment)) parts.push(part as Buffer);
      expect(hash(Buffer.concat(parts))).toBe(hash(bytes));
    });

    it('media that are gone, or that were changed on their way, are told from those that are there', async () => {
      for (const fault of ['gone', 'corrupt'] as const) {
        const { attachment } = await received({ type: 'image', media: { ...media, fault } });
        const read = async (): Promise<void> => {
          for await (const _ of await profile.download(attachment as Attachment));
        };
        await expect(read()).rejects.toMatchObject({ name: 'MediaGone' });
      }
    });

    it('nothing is fetched from a host that is not of the network', async () => {
      const { attachment } = await received({ type: 'image', media });
      const elsewhere = { ...(attachment as Attachment), url: 'https://192.0.2.1/mms/image/x' };
      await expect(profile.download(elsewhere)).rejects.toMatchObject({ name: 'MediaGone' });
    });

    it.each(['/\\localhost', '/\t/localhost'])('a path that names a host leads nowhere: %j', async (host) => {
      const asked: unknown[] = [];
      const server = createServer((_, response) => {
        asked.push(1);
        response.end('not of the network');
      });
      await new Promise<void>((resolve) => server.listen(0, resolve));
      const { attachment } = await received({ type: 'image', media });
      const directPath = `${host}:${(server.address() as AddressInfo).port}/mms/image/x`;
      const elsewhere = profile.download({ ...(attachment as Attachment), directPath });
      await expect(elsewhere).rejects.toMatchObject({ name: 'MediaGone' });
      expect(asked).toEqual([]);
      server.close();
    });

    it('ids that no client makes end no connection', async () => {
      const id = `long\0${'A'.repeat(3_000)}`;
      const poll: Extract<Content, { type: 'poll' }> = {
        type: 'poll',
        question: 'With a long id?',
        options: ['Yes', 'No'],
      };
      await simulator.sendFromContact(contact, { to: phone, id, content: poll });
      const told = await until(() =>
        profile.facts.find(
          (fact) =>
            fact.kind === 'message' &&
            fact.data.content.type === 'poll' &&
            fact.data.content.content.question === poll.question,
        ),
      );
      const { networkMessageId = '' } = 'networkMessageId' in told.data ? told.data : {};
      expect(networkMessageId).toMatch(/^[!-~]{1,255}$/);
      const answers: [Content, object][] = [
        [
          { type: 'vote', target: id, options: ['No'] },
          { type: 'voted', options: ['No'] },
        ],
        [
          { type: 'reaction', target: id, emoji: '👍' },
          { type: 'reacted', emoji: '👍' },
        ],
      ];
      for (const [content, change] of answers) {
        await simulator.sendFromContact(contact, { to: phone, content });
        const fact = await until(() =>
          profile.facts.find(
            ({ kind, data }) =>
              kind === 'change' &&
              data.change.type === (change as { type: string }).type &&
              data.target.networkMessageId === networkMessageId,
          ),
        );
        expect(fact.data).toMatchObject({ change });
      }
      expect((await received({ type: 'text', text: 'See above', quoted: id })).data).toMatchObject({
        quotedNetworkMessageId: networkMessageId,
      });
      expect(profile.closed).toEqual(['restart']);
    });

    it('a reaction to a message of ours, and its end', async () => {
      const own = await sent({ type: 'text', content: { text: 'mine' } });
      expect(await changed({ type: 'reaction', target: own.id, emoji: '❤️' })).toMatchObject({
        chat: { jid: `${contact}@c.us` },
        author: { jid: `${contact}@c.us` },
        fromMe: false,
        target: { networkMessageId: own.id, fromMe: true },
        change: { type: 'reacted', emoji: '❤️' },
        delivery: 'live',
      });
      expect(await changed({ type: 'reaction', target: own.id, emoji: '' })).toMatchObject({
        change: { type: 'reacted', emoji: '' },
      });
    });

    it('an edit and a revocation of a message of theirs', async () => {
      const { data } = await received({ type: 'text', text: 'Tuesday' });
      const target = { networkMessageId: data.networkMessageId, author: `${contact}@c.us`, fromMe: false };
      expect(await changed({ type: 'edit', target: data.networkMessageId, text: 'Wednesday' })).toMatchObject({
        target,
        change: { type: 'edited', content: { type: 'text', content: { text: 'Wednesday' } } },
      });
      expect(await changed({ type: 'revoke', target: data.networkMessageId })).toMatchObject({
        target,
        change: { type: 'revoked' },
      });
    });

    it('votes on a poll of ours and on one of theirs, and their end', async () => {
      const own = await sent({ type: 'poll', content: { question: 'Lunch?', options: ['Soup', 'Salad'] } });
      const theirs = await received({
        type: 'poll',
        question: 'Days?',
        options: ['Mon', 'Tue'],
        allowMultiple: true,
      });
      expect(await changed({ type: 'vote', target: own.id, options: ['Salad'] })).toMatchObject({
        target: { networkMessageId: own.id, fromMe: true },
        change: { type: 'voted', options: ['Salad'] },
      });
      const id = theirs.data.networkMessageId;
      expect(await changed({ type: 'vote', target: id, options: ['Mon', 'Tue'] })).toMatchObject({
        target: { networkMessageId: id, fromMe: false },
        change: { type: 'voted', options: ['Mon', 'Tue'] },
      });
      expect(await changed({ type: 'vote', target: id, options: [] })).toMatchObject({
        change: { type: 'voted', options: [] },
      });
    });

    it('a message that comes twice is told once', async () => {
      const { id } = await simulator.sendFromContact(contact, { to: phone, text: 'twice', times: 3 });
      await received({ type: 'text', text: 'after twice' });
      const told = profile.facts.filter((fact) => fact.kind === 'message' && fact.data.networkMessageId === id);
      expect(told).toHaveLength(1);
    });
  });
}
