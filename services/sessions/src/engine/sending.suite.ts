import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OutgoingContentOf, QuotedMessageOf } from '@messaging-gateway/contracts';
import type { Simulator } from '@messaging-gateway/network-simulator';
import { bytes, contentsTest, hash, type ContentsTest } from '../testing/contents-test.ts';
import { newNetworkId, type TestProfile } from '../testing/engine-harness.ts';
import type { EngineUnderTest } from '../testing/engine-under-test.ts';

/** Every kind of content out, decrypted at the contact. */
export function sendingSuite(name: string, engineOn: EngineUnderTest): void {
  describe(`${name}: contents out`, () => {
    let test: ContentsTest;
    let profile: TestProfile;
    let simulator: Simulator;
    const phone = '4915120000300';
    const contact = '4915100000300';
    const sent: ContentsTest['sent'] = (content) => test.sent(content);
    const received: ContentsTest['received'] = (content) => test.received(content);

    beforeAll(async () => {
      test = await contentsTest(phone, contact, engineOn);
      ({ profile, simulator } = test);
    });
    afterAll(() => test.stop());

    it.each<[string, OutgoingContentOf, object]>([
      [
        'a location',
        { type: 'location', content: { latitude: 52.5, longitude: 13.4, name: 'Gate', address: 'Pariser Platz' } },
        { type: 'location', latitude: 52.5, longitude: 13.4, name: 'Gate', address: 'Pariser Platz' },
      ],
      [
        'a contact',
        {
          type: 'contact',
          content: { contacts: [{ name: 'Ada; L.', phone: '4915112345678', email: 'ada@example.com' }] },
        },
        { type: 'contact', contacts: [{ name: 'Ada; L.', phone: '4915112345678', email: 'ada@example.com' }] },
      ],
      [
        'contacts',
        {
          type: 'contact',
          content: {
            contacts: [
              { name: 'Ada', phone: '4915112345678' },
              { name: 'Bo', phone: '4915112345679' },
            ],
          },
        },
        {
          type: 'contact',
          contacts: [
            { name: 'Ada', phone: '4915112345678' },
            { name: 'Bo', phone: '4915112345679' },
          ],
        },
      ],
      [
        'a poll',
        { type: 'poll', content: { question: 'Lunch?', options: ['Soup', 'Salad'] } },
        { type: 'poll', question: 'Lunch?', options: ['Soup', 'Salad'], allowMultiple: false },
      ],
      [
        'a poll with several choices',
        { type: 'poll', content: { question: 'Days?', options: ['Mon', 'Tue'], allowMultiple: true } },
        { type: 'poll', question: 'Days?', options: ['Mon', 'Tue'], allowMultiple: true },
      ],
    ])('%s', async (_, content, expected) => {
      expect((await sent(content)).content).toEqual(expected);
    });

    it('text with mentions, and an answer to a message of either side', async () => {
      const { data } = await received({ type: 'text', text: 'Who comes?' });
      const answer = await sent({
        type: 'text',
        content: { text: 'Ask @4915112345678', mentions: ['4915112345678@c.us'] },
        quoted: {
          networkMessageId: data.networkMessageId,
          author: `${contact}@c.us`,
          fromMe: false,
          text: 'Who comes?',
        },
      });
      expect(answer).toMatchObject({
        content: { type: 'text', text: 'Ask @4915112345678' },
        mentions: ['4915112345678'],
        quoted: data.networkMessageId,
        quotedAuthor: contact,
      });
      const own = await sent({
        type: 'location',
        content: { latitude: 1, longitude: 2 },
        quoted: { networkMessageId: answer.id, fromMe: true },
      });
      expect(own).toMatchObject({ quoted: answer.id, quotedAuthor: phone });
    });

    const place = { latitude: 52.5, longitude: 13.4, name: 'Gate' };
    it.each<[string, Partial<QuotedMessageOf>, object]>([
      ['a text', { type: 'text', text: 'Well?' }, { conversation: 'Well?' }],
      ['an image', { type: 'image', mimetype: 'image/png' }, { imageMessage: { mimetype: 'image/png' } }],
      ['a captioned image', { type: 'image', text: 'Look' }, { imageMessage: { caption: 'Look' } }],
      ['a video', { type: 'video', text: 'Us', gif: true }, { videoMessage: { caption: 'Us', gifPlayback: true } }],
      ['a voice note', { type: 'audio', ptt: true, seconds: 7 }, { audioMessage: { ptt: true, seconds: 7 } }],
      ['a document', { type: 'document', filename: 'a.pdf' }, { documentMessage: { fileName: 'a.pdf' } }],
      ['a sticker', { type: 'sticker', animated: true }, { stickerMessage: { isAnimated: true } }],
      ['a location', { type: 'location', ...place }, { locationMessage: { degreesLatitude: 52.5, name: 'Gate' } }],
      [
        'a contact',
        { type: 'contact', contacts: [{ name: 'Ada', phone: '4915112345678' }] },
        { contactMessage: { displayName: 'Ada', vcard: expect.stringContaining('4915112345678') } },
      ],
      [
        'a poll',
        { type: 'poll', question: 'When?', options: ['Now', 'Later'] },
        { pollCreationMessageV3: { name: 'When?', options: [{ optionName: 'Now' }, { optionName: 'Later' }] } },
      ],
    ])('%s of the contact is quoted in its original form, without media', async (_, quoted, form) => {
      const networkMessageId = newNetworkId();
      const { raw } = await sent({
        type: 'text',
        content: { text: 'See above' },
        quoted: { networkMessageId, fromMe: false, author: `${contact}@c.us`, ...quoted },
      });
      const { stanzaId, quotedMessage } = raw?.extendedTextMessage?.contextInfo ?? {};
      expect(stanzaId).toBe(networkMessageId);
      expect(quotedMessage).toMatchObject(form);
      const [inner] = Object.values(quotedMessage ?? {});
      expect(Object.keys(typeof inner === 'object' && inner !== null ? inner : {})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(mediaKey|directPath|url)$/)]),
      );
    });

    const mentions = ['4915112345678@c.us'];
    const media = { key: 'video/mp4' };
    it.each<[string, OutgoingContentOf, 'imageMessage' | 'videoMessage' | 'documentMessage']>([
      [
        'an image',
        { type: 'image', content: { caption: 'Ask', mentions }, media: { key: 'image/png' } },
        'imageMessage',
      ],
      ['a video', { type: 'video', content: { caption: 'Ask', mentions }, media }, 'videoMessage'],
      [
        'a document',
        { type: 'document', content: { filename: 'a.mp4', caption: 'Ask', mentions }, media },
        'documentMessage',
      ],
    ])('%s whose caption mentions somebody', async (_, content, kind) => {
      const { raw } = await sent(content);
      const inner = raw?.[kind] ?? raw?.documentWithCaptionMessage?.message?.[kind];
      expect(inner?.contextInfo?.mentionedJid).toEqual(['4915112345678@s.whatsapp.net']);
    });

    it('a message of a group that is quoted to its author names the group', async () => {
      const group = '120363000000000001@g.us';
      const { raw } = await sent({
        type: 'text',
        content: { text: 'In private' },
        quoted: { networkMessageId: newNetworkId(), fromMe: false, author: `${contact}@c.us`, chat: group, text: 'Hm' },
      });
      expect(raw?.extendedTextMessage?.contextInfo).toMatchObject({
        remoteJid: group,
        participant: `${contact}@s.whatsapp.net`,
      });
    });

    it.each<[string, Extract<OutgoingContentOf, { media: unknown }>, object]>([
      [
        'an image',
        { type: 'image', content: { caption: 'Look' }, media: { key: 'image/png' } },
        { type: 'image', caption: 'Look', media: { mimetype: 'image/png' } },
      ],
      [
        'a moving picture',
        { type: 'video', content: { gif: true }, media: { key: 'video/mp4' } },
        { type: 'video', gif: true, media: { mimetype: 'video/mp4' } },
      ],
      [
        'a voice note',
        { type: 'audio', content: { ptt: true }, media: { key: 'audio/ogg' } },
        { type: 'audio', ptt: true, media: { mimetype: 'audio/ogg; codecs=opus' } },
      ],
      [
        'a document',
        { type: 'document', content: { filename: 'Plan.pdf', caption: 'Plan' }, media: { key: 'application/pdf' } },
        { type: 'document', filename: 'Plan.pdf', caption: 'Plan', media: { mimetype: 'application/pdf' } },
      ],
    ])('%s, encrypted and uploaded', async (_, content, expected) => {
      const message = await sent(content);
      expect(message.content).toMatchObject(expected);
      expect(message.content).toMatchObject({ media: { size: bytes.length, sha256: hash(bytes) } });
      expect(message.content).not.toHaveProperty('media.fault');
    });

    it('tells media that cannot be had, and sends nothing', async () => {
      const id = newNetworkId();
      const content: OutgoingContentOf = { type: 'image', content: {}, media: { url: 'https://example.com/a.png' } };
      expect(await profile.sendContent(contact, content, id)).toMatchObject({
        outcome: 'refused',
        code: 'MEDIA_UNAVAILABLE',
      });
      expect((await simulator.messages(contact)).filter((message) => message.id === id)).toEqual([]);
    });

    it('sends again what may have left as it was', async () => {
      const id = newNetworkId();
      const content: OutgoingContentOf = { type: 'image', content: {}, media: { key: 'image/png' } };
      await profile.sendContent(contact, content, id);
      const encoded = await profile.sent(id);
      const gone: OutgoingContentOf = { ...content, media: { url: 'https://example.com/gone' } };
      expect(await profile.sendContent(contact, gone, newNetworkId(), encoded)).toEqual({ outcome: 'acknowledged' });
    });

    it('a reaction, and its end; a message deleted for everyone', async () => {
      const own = await sent({ type: 'text', content: { text: 'mine' } });
      const { data } = await received({ type: 'text', text: 'theirs' });
      const target = { networkMessageId: data.networkMessageId, author: `${contact}@c.us`, fromMe: false };
      const reactions = [
        await sent({ type: 'reaction', content: { emoji: '👍' }, target }),
        await sent({ type: 'reaction', content: { emoji: '' }, target }),
      ];
      expect(reactions.map(({ content }) => content)).toEqual([
        { type: 'reaction', target: data.networkMessageId, emoji: '👍' },
        { type: 'reaction', target: data.networkMessageId, emoji: '' },
      ]);
      const deleted = await sent({ type: 'delete', content: {}, target: { networkMessageId: own.id, fromMe: true } });
      expect(deleted.content).toEqual({ type: 'revoke', target: own.id });
    });
  });
}
