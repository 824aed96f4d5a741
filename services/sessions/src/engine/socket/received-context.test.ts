import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IncomingContentOf } from '@messaging-gateway/contracts';
import { bytes, contentsTest, type ContentsTest } from '../../testing/contents-test.ts';

type Raw = Record<string, unknown>;

const phone = '4915120000322';
const contact = '4915100000322';

describe('contexts of received messages', () => {
  let test: ContentsTest;
  const media = { mimetype: 'image/jpeg', fileLength: 9 };
  beforeAll(async () => {
    test = await contentsTest(phone, contact);
  });
  afterAll(() => test.stop());

  const received = async (message: Raw) => (await test.received({ type: 'raw', message })).data;
  const content = async (message: Raw): Promise<IncomingContentOf> => (await received(message)).content;

  describe('context', () => {
    const ad = {
      externalAdReply: {
        title: 'Tea',
        body: 'Buy now',
        sourceType: 'ad',
        sourceId: '120',
        sourceUrl: 'https://fb.me/x',
        ctwaClid: 'click',
      },
      entryPointConversionSource: 'ctwa_ad',
    };
    const referral = {
      sourceType: 'ad',
      sourceId: '120',
      sourceUrl: 'https://fb.me/x',
      title: 'Tea',
      body: 'Buy now',
      ctwaClid: 'click',
      entryPoint: 'ctwa_ad',
    };

    it.each<[string, Raw]>([
      ['a text', { extendedTextMessage: { text: 'Hello', contextInfo: ad } }],
      ['an image', { imageMessage: { ...media, contextInfo: ad } }],
      ['a contact', { contactMessage: { displayName: 'Ada', vcard: '', contextInfo: ad } }],
      ['a location', { locationMessage: { degreesLatitude: 1, degreesLongitude: 2, contextInfo: ad } }],
    ])('names the ad that %s comes from', async (_, message) => {
      expect((await content(message)).content).toMatchObject({ referral });
    });

    it('names no ad for a preview, nor for a person who was found otherwise', async () => {
      const preview = { externalAdReply: { title: 'Tea', sourceUrl: 'https://example.com' } };
      for (const contextInfo of [preview, { entryPointConversionSource: 'global_search_new_chat' }])
        expect((await content({ extendedTextMessage: { text: 'Hello', contextInfo } })).content).toEqual({
          text: 'Hello',
        });
    });

    it('names the time after which phones delete a message', async () => {
      const message = { extendedTextMessage: { text: 'Soon gone', contextInfo: { expiration: 86_400 } } };
      expect((await content({ ephemeralMessage: { message } })).content).toEqual({
        text: 'Soon gone',
        expiresInSeconds: 86_400,
      });
    });

    it.each<[string, (contextInfo: Raw) => Raw]>([
      ['a text', (contextInfo) => ({ extendedTextMessage: { text: '@me', contextInfo } })],
      ['an image', (contextInfo) => ({ imageMessage: { ...media, contextInfo } })],
      ['a video', (contextInfo) => ({ videoMessage: { ...media, contextInfo } })],
      ['a document', (contextInfo) => ({ documentMessage: { ...media, contextInfo } })],
      ['a poll', (contextInfo) => ({ pollCreationMessageV3: { name: '@me', options: [], contextInfo } })],
    ])('names those mentioned in %s by number', async (_, message) => {
      const [{ lid }, other] = [await test.simulator.phone(phone), await test.simulator.phone(contact)];
      const mentionedJid = [`${lid}@lid`, `${other.lid}@lid`, '99999999999999@lid', '4915199999999@s.whatsapp.net'];
      expect((await content(message({ mentionedJid, nonJidMentions: 1 }))).content).toMatchObject({
        mentions: [`${phone}@c.us`, `${contact}@c.us`, '99999999999999@lid', '4915199999999@c.us'],
        mentionsMe: true,
        mentionsAll: true,
      });
      expect((await content(message({ mentionedJid: ['4915199999999@s.whatsapp.net'] }))).content).not.toHaveProperty(
        'mentionsMe',
      );
    });
  });

  describe('the sharper form of media', () => {
    const association = (associationType: string, id?: string) => ({
      messageAssociation: {
        associationType,
        ...(id !== undefined && { parentMessageKey: { id, fromMe: true, remoteJid: `${phone}@s.whatsapp.net` } }),
      },
    });

    it('names the message whose media it replaces', async () => {
      const first = await received({
        imageMessage: { ...media, caption: 'Tea' },
        messageContextInfo: association('HD_IMAGE_DUAL_UPLOAD'),
      });
      expect(first).not.toHaveProperty('replacesMediaOf');
      const second = await received({
        associatedChildMessage: {
          message: {
            imageMessage: { ...media, caption: 'Tea', fileLength: bytes.length },
            messageContextInfo: association('HD_IMAGE_DUAL_UPLOAD', first.networkMessageId),
          },
        },
      });
      expect(second).toMatchObject({
        replacesMediaOf: { networkMessageId: first.networkMessageId, fromMe: false, author: `${contact}@c.us` },
        content: { type: 'image', content: { media: { size: bytes.length } } },
      });
    });

    it('is ignored when it is another form: the video of a moving picture', async () => {
      const first = await received({ imageMessage: media });
      const messageContextInfo = association('MOTION_PHOTO', first.networkMessageId);
      const moving = { associatedChildMessage: { message: { videoMessage: media, messageContextInfo } } };
      expect(await test.passedOver(moving)).toBe('videoMessage');
    });
  });

  it('reads all numbers of a card', async () => {
    const vcard = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Lovelace;Ada;;;',
      'FN:Ada Lovelace',
      'ORG:Engines;Analysis',
      'item1.TEL;waid=4915112345678:+49 151 12345678',
      'item1.X-ABLabel:Mobile',
      'item2.TEL;type=WORK;type=VOICE:+49 30 123456',
      'END:VCARD',
    ].join('\n');
    expect(await content({ contactMessage: { displayName: 'Ada', vcard } })).toEqual({
      type: 'contact',
      content: {
        contacts: [
          {
            name: 'Ada Lovelace',
            phone: '4915112345678',
            phones: [
              { phone: '4915112345678', label: 'Mobile' },
              { phone: '4930123456', label: 'WORK' },
            ],
            organization: 'Engines, Analysis',
          },
        ],
      },
    });
  });
});
