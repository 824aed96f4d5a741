import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proto } from '@whiskeysockets/baileys';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import type { IncomingContentOf } from '@messaging-gateway/contracts';
import { bytes, contentsTest, type ContentsTest } from '../../testing/contents-test.ts';
import { newNetworkId, until } from '../../testing/engine-harness.ts';
import { socketEngine } from './socket-engine.ts';
import { shortName } from './wire-format/message-kinds.ts';

type Raw = Record<string, unknown>;

const phone = '4915120000320';
const contact = '4915100000320';
const secret = Buffer.alloc(32, 7).toString('base64');

/** Fields that accompany a content. */
const accompanying = [
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
];
/** A content that says something, for fields that say nothing when they are empty. */
const filled: Readonly<Record<string, unknown>> = {
  conversation: 'Hello',
  extendedTextMessage: { text: 'Hello' },
  locationMessage: { degreesLatitude: 1, degreesLongitude: 2 },
  liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2 },
  contactMessage: { displayName: 'Ada', vcard: 'BEGIN:VCARD\nEND:VCARD' },
  templateMessage: { hydratedTemplate: { hydratedContentText: 'Hello' } },
  highlyStructuredMessage: { hydratedHsm: { hydratedTemplate: { hydratedContentText: 'Hello' } } },
  interactiveMessage: { body: { text: 'Hello' } },
  buttonsMessage: { contentText: 'Hello' },
  listMessage: { description: 'Hello' },
  buttonsResponseMessage: { selectedDisplayText: 'Hello' },
  listResponseMessage: { title: 'Hello' },
  templateButtonReplyMessage: { selectedDisplayText: 'Hello' },
  interactiveResponseMessage: { body: { text: 'Hello' } },
  richResponseMessage: { submessages: [{ messageText: 'Hello' }] },
  deviceSentMessage: { destinationJid: `${contact}@s.whatsapp.net`, message: { conversation: 'Hello' } },
  reactionMessage: { key: { id: 'A', fromMe: false }, text: 'x' },
  protocolMessage: { key: { id: 'A', fromMe: false }, type: 0 },
};

const text = 'text';
const ignored = 'ignored';
const unsupported = 'unsupported';
/** Outcome of each field of the protocol's message: type of the content, `change` or `ignored`. Wrappers hold a text. */
const outcomes: Readonly<Record<string, string>> = {
  conversation: text,
  imageMessage: 'image',
  contactMessage: 'contact',
  locationMessage: 'location',
  extendedTextMessage: text,
  documentMessage: 'document',
  audioMessage: 'audio',
  videoMessage: 'video',
  call: ignored,
  chat: ignored,
  protocolMessage: 'change',
  contactsArrayMessage: 'contact',
  highlyStructuredMessage: text,
  sendPaymentMessage: unsupported,
  liveLocationMessage: 'location',
  requestPaymentMessage: unsupported,
  declinePaymentRequestMessage: unsupported,
  cancelPaymentRequestMessage: unsupported,
  templateMessage: text,
  stickerMessage: 'image',
  groupInviteMessage: unsupported,
  templateButtonReplyMessage: text,
  productMessage: unsupported,
  deviceSentMessage: text,
  listMessage: text,
  viewOnceMessage: text,
  orderMessage: unsupported,
  listResponseMessage: text,
  ephemeralMessage: text,
  invoiceMessage: unsupported,
  buttonsMessage: text,
  buttonsResponseMessage: text,
  paymentInviteMessage: unsupported,
  interactiveMessage: text,
  reactionMessage: 'change',
  stickerSyncRmrMessage: ignored,
  interactiveResponseMessage: text,
  pollCreationMessage: 'poll',
  pollUpdateMessage: ignored,
  keepInChatMessage: ignored,
  documentWithCaptionMessage: text,
  requestPhoneNumberMessage: unsupported,
  viewOnceMessageV2: text,
  encReactionMessage: ignored,
  editedMessage: text,
  viewOnceMessageV2Extension: text,
  pollCreationMessageV2: 'poll',
  scheduledCallCreationMessage: unsupported,
  groupMentionedMessage: text,
  pinInChatMessage: ignored,
  pollCreationMessageV3: 'poll',
  scheduledCallEditMessage: ignored,
  ptvMessage: 'video',
  botInvokeMessage: text,
  callLogMesssage: ignored,
  messageHistoryBundle: ignored,
  encCommentMessage: ignored,
  bcallMessage: ignored,
  lottieStickerMessage: text,
  eventMessage: unsupported,
  encEventResponseMessage: ignored,
  commentMessage: ignored,
  newsletterAdminInviteMessage: unsupported,
  placeholderMessage: ignored,
  secretEncryptedMessage: ignored,
  albumMessage: ignored,
  eventCoverImage: ignored,
  stickerPackMessage: unsupported,
  statusMentionMessage: ignored,
  pollResultSnapshotMessage: ignored,
  pollCreationOptionImageMessage: ignored,
  associatedChildMessage: text,
  groupStatusMentionMessage: ignored,
  pollCreationMessageV4: text,
  statusAddYours: ignored,
  groupStatusMessage: text,
  richResponseMessage: text,
  statusNotificationMessage: ignored,
  limitSharingMessage: ignored,
  botTaskMessage: ignored,
  questionMessage: text,
  messageHistoryNotice: ignored,
  groupStatusMessageV2: text,
  botForwardedMessage: text,
  statusQuestionAnswerMessage: ignored,
  questionReplyMessage: text,
  questionResponseMessage: ignored,
  statusQuotedMessage: ignored,
  statusStickerInteractionMessage: ignored,
  pollCreationMessageV5: 'poll',
  newsletterFollowerInviteMessageV2: unsupported,
  pollResultSnapshotMessageV3: ignored,
};

describe('kinds of received messages', () => {
  let test: ContentsTest;
  const ignoredKinds: string[] = [];
  const media = { mimetype: 'image/jpeg', fileLength: 9 };

  beforeAll(async () => {
    test = await contentsTest(phone, contact, ({ url, rootKey, caFile }) =>
      socketEngine(
        { url, rootKey, caFile, clientVersion: undefined },
        {
          clock: systemClock,
          log: silentLogger,
          preview: async () => undefined,
          ignored: (kind) => void ignoredKinds.push(kind),
        },
      ),
    );
  });
  afterAll(() => test.stop());

  const received = async (message: Raw) => (await test.received({ type: 'raw', message })).data;
  const content = async (message: Raw): Promise<IncomingContentOf> => (await received(message)).content;

  describe('every field of the protocol', () => {
    const fields = Object.entries(proto.Message.prototype)
      .filter(([name, value]) => value === null && !accompanying.includes(name))
      .map(([name]) => name);
    const isWrapper = (name: string): boolean =>
      proto.Message.fromObject({ [name]: { message: {} } })[name as keyof proto.IMessage] instanceof
      proto.Message.FutureProofMessage;

    it('has an outcome', () => {
      expect(Object.keys(outcomes).toSorted()).toEqual(fields.toSorted());
      expect(fields.filter((name) => name !== 'call' && name !== 'conversation' && isWrapper(name))).toHaveLength(23);
    });

    it('arrives as its outcome', async () => {
      const found: Record<string, string> = {};
      for (const name of fields) {
        const id = newNetworkId();
        const isWrapped = name !== 'conversation' && isWrapper(name);
        const message = { [name]: filled[name] ?? (isWrapped ? { message: { conversation: 'Hello' } } : {}) };
        const before = { facts: test.profile.facts.length, ignored: ignoredKinds.length };
        await test.simulator.sendFromContact(contact, { to: phone, id, content: { type: 'raw', message } });
        found[name] = await until(() => {
          if (ignoredKinds.slice(before.ignored).includes(shortName(name))) return ignored;
          const fact = test.profile.facts
            .slice(before.facts)
            .find((one) => one.kind === 'change' || (one.kind === 'message' && one.data.networkMessageId === id));
          return fact?.kind === 'message' ? fact.data.content.type : fact?.kind;
        });
      }
      expect(found).toEqual(outcomes);
    });
  });

  it('ignores an empty text, and counts it', async () => {
    const before = ignoredKinds.length;
    await test.simulator.sendFromContact(contact, {
      to: phone,
      content: { type: 'raw', message: { conversation: '' } },
    });
    await until(() => ignoredKinds.length > before);
    expect(ignoredKinds.at(-1)).toBe('conversation');
  });

  it('reads a Lottie sticker', async () => {
    const stickerMessage = { mimetype: 'application/was', fileLength: 9 };
    expect(await content({ lottieStickerMessage: { message: { stickerMessage } } })).toEqual({
      type: 'image',
      content: { sticker: true, animated: true, media: { mimetype: 'application/was', size: 9 } },
    });
  });

  it.each(['pollCreationMessageV4', 'pollCreationMessageV5'])('reads %s and votes in it', async (name) => {
    const poll = {
      name: 'Days?',
      options: [{ optionName: 'Mon' }, { optionName: 'Tue' }],
      selectableOptionsCount: 1,
    };
    const message = { [name]: name.endsWith('4') ? { message: { pollCreationMessage: poll } } : poll };
    const data = await received({ ...message, messageContextInfo: { messageSecret: secret } });
    expect(data.content).toEqual({ type: 'poll', content: { question: 'Days?', options: ['Mon', 'Tue'] } });
    const { networkMessageId: target } = data;
    expect(await test.changed({ type: 'vote', target, options: ['Tue'] })).toMatchObject({
      change: { type: 'voted', options: ['Tue'] },
    });
  });

  describe('choices', () => {
    it.each<[string, Raw, object]>([
      [
        'of a template',
        {
          templateMessage: {
            hydratedTemplate: {
              hydratedTitleText: 'Shop',
              hydratedContentText: 'Your code is 1234',
              hydratedFooterText: 'Thanks',
              hydratedButtons: [
                { index: 0, quickReplyButton: { displayText: 'Yes', id: 'y' } },
                { index: 1, urlButton: { displayText: 'Open', url: 'https://example.com' } },
                { index: 2, callButton: { displayText: 'Call', phoneNumber: '+49 151 1' } },
              ],
            },
          },
        },
        {
          text: 'Shop\nYour code is 1234\nThanks',
          choices: [
            { kind: 'reply', id: 'y', text: 'Yes' },
            { kind: 'url', text: 'Open', url: 'https://example.com' },
            { kind: 'call', text: 'Call', phone: '491511' },
          ],
        },
      ],
      [
        'of a native flow',
        {
          interactiveMessage: {
            header: { title: 'Bank' },
            body: { text: 'Your code' },
            footer: { text: 'Do not share it' },
            nativeFlowMessage: {
              buttons: [
                { name: 'quick_reply', buttonParamsJson: '{"display_text":"Yes","id":"y"}' },
                { name: 'cta_url', buttonParamsJson: '{"display_text":"Open","url":"https://example.com"}' },
                { name: 'cta_call', buttonParamsJson: '{"display_text":"Call","phone_number":"+49 151 1"}' },
                { name: 'cta_copy', buttonParamsJson: '{"display_text":"Copy","copy_code":"1234","id":"c"}' },
                {
                  name: 'single_select',
                  buttonParamsJson: JSON.stringify({
                    title: 'Menu',
                    sections: [
                      {
                        title: 'Tea',
                        rows: [
                          { id: 'g', title: 'Green' },
                          { id: 'b', title: 'Black' },
                        ],
                      },
                    ],
                  }),
                },
                { name: 'cta_url', buttonParamsJson: 'no JSON' },
              ],
            },
          },
        },
        {
          text: 'Bank\nYour code\nDo not share it',
          choices: [
            { kind: 'reply', id: 'y', text: 'Yes' },
            { kind: 'url', text: 'Open', url: 'https://example.com' },
            { kind: 'call', text: 'Call', phone: '491511' },
            { kind: 'copy', id: 'c', text: 'Copy', code: '1234' },
            { kind: 'list', id: 'g', text: 'Green' },
            { kind: 'list', id: 'b', text: 'Black' },
            { kind: 'url', text: '' },
          ],
        },
      ],
      [
        'of buttons',
        {
          buttonsMessage: {
            text: 'Order',
            contentText: 'Confirm?',
            footerText: 'Shop',
            buttons: [{ buttonId: 'y', buttonText: { displayText: 'Yes' }, type: 1 }],
          },
        },
        { text: 'Order\nConfirm?\nShop', choices: [{ kind: 'reply', id: 'y', text: 'Yes' }] },
      ],
      [
        'of a list',
        {
          listMessage: {
            title: 'Menu',
            description: 'Choose',
            buttonText: 'Open',
            sections: [{ title: 'Tea', rows: [{ rowId: 'g', title: 'Green', description: 'From Japan' }] }],
          },
        },
        { text: 'Menu\nChoose', choices: [{ kind: 'list', id: 'g', text: 'Green' }] },
      ],
    ])('%s', async (_, message, expected) => {
      expect(await content(message)).toEqual({ type: 'text', content: expected });
      expect(await content({ viewOnceMessage: { message } })).toEqual({ type: 'text', content: expected });
    });

    it('stand below the media of a header, whose caption is the text', async () => {
      const message = await content({
        templateMessage: {
          hydratedTemplate: {
            imageMessage: media,
            hydratedContentText: 'New tea',
            hydratedFooterText: 'Shop',
            hydratedButtons: [{ index: 0, quickReplyButton: { displayText: 'Buy', id: 'b' } }],
          },
        },
      });
      expect(message).toEqual({
        type: 'image',
        content: {
          caption: 'New tea\nShop',
          media: { mimetype: 'image/jpeg', size: 9 },
          choices: [{ kind: 'reply', id: 'b', text: 'Buy' }],
        },
      });
    });

    const contextInfo = { stanzaId: 'QUESTION', participant: `${phone}@s.whatsapp.net` };
    const quotedMessage = { buttonsMessage: { contentText: 'Confirm?', footerText: 'Shop' } };
    it.each<[string, Raw, object]>([
      [
        'buttons',
        { buttonsResponseMessage: { selectedDisplayText: 'Yes', selectedButtonId: 'y', type: 1 } },
        { id: 'y', text: 'Yes' },
      ],
      [
        'a list',
        {
          listResponseMessage: {
            title: 'Yes',
            description: 'From Japan',
            singleSelectReply: { selectedRowId: 'y' },
          },
        },
        { id: 'y', text: 'Yes', description: 'From Japan' },
      ],
      [
        'a template',
        { templateButtonReplyMessage: { selectedDisplayText: 'Yes', selectedId: 'y' } },
        { id: 'y', text: 'Yes' },
      ],
      [
        'a native flow',
        {
          interactiveResponseMessage: {
            body: { text: 'Yes' },
            nativeFlowResponseMessage: { name: 'quick_reply', paramsJson: '{"id":"y"}' },
          },
        },
        { id: 'y', text: 'Yes' },
      ],
    ])('are answered: %s', async (_, message, chosen) => {
      const [[kind = '', inner] = []] = Object.entries(message);
      const answer = { [kind]: { ...(inner as Raw), contextInfo: { ...contextInfo, quotedMessage } } };
      expect(await received(answer)).toMatchObject({
        content: { type: 'text', content: { text: 'Yes', chosen } },
        quotedNetworkMessageId: 'QUESTION',
        quotedBody: 'Confirm?\nShop',
      });
    });
  });

  it.each<[string, Raw, object]>([
    [
      'an event',
      {
        eventMessage: {
          name: 'Party',
          description: 'Bring tea',
          startTime: 1_798_747_200,
          endTime: 1_798_754_400,
          location: { name: 'Home', degreesLatitude: 1.5, degreesLongitude: 2.5 },
        },
      },
      {
        kind: 'event',
        text: 'Party, 2026-12-31 20:00 UTC',
        about: {
          name: 'Party',
          description: 'Bring tea',
          startsAt: '2026-12-31T20:00:00.000Z',
          endsAt: '2026-12-31T22:00:00.000Z',
          location: { name: 'Home', latitude: 1.5, longitude: 2.5 },
          cancelled: false,
        },
      },
    ],
    [
      'an order',
      {
        orderMessage: {
          orderId: '77',
          orderTitle: 'Tea shop',
          message: 'Two of them',
          itemCount: 2,
          totalAmount1000: 5990,
          totalCurrencyCode: 'EUR',
        },
      },
      {
        kind: 'order',
        text: 'Tea shop\nTwo of them',
        about: { orderId: '77', title: 'Tea shop', itemCount: 2, total: { amount: '5.99', currency: 'EUR' } },
      },
    ],
    [
      'a product, in a currency without decimals',
      {
        productMessage: {
          product: {
            productId: '8',
            title: 'Tea',
            description: 'Green',
            priceAmount1000: 500_000,
            currencyCode: 'JPY',
          },
        },
      },
      {
        kind: 'product',
        text: 'Tea\nGreen\n500 JPY',
        about: { productId: '8', title: 'Tea', description: 'Green', price: { amount: '500', currency: 'JPY' } },
      },
    ],
    [
      'an invitation to a group',
      {
        groupInviteMessage: {
          groupJid: '120363000000000001@g.us',
          inviteCode: 'AbC',
          inviteExpiration: 1_798_747_200,
          groupName: 'Tea',
          caption: 'Join us',
        },
      },
      {
        kind: 'groupInvite',
        text: 'Tea\nJoin us\nhttps://chat.whatsapp.com/AbC',
        about: {
          groupId: '120363000000000001@g.us',
          name: 'Tea',
          code: 'AbC',
          expiresAt: '2026-12-31T20:00:00.000Z',
          caption: 'Join us',
        },
      },
    ],
    [
      'a payment request',
      {
        requestPaymentMessage: {
          noteMessage: { extendedTextMessage: { text: 'For tea' } },
          amount1000: 12_500,
          currencyCodeIso4217: 'INR',
        },
      },
      { kind: 'requestPayment', text: '12.50 INR\nFor tea' },
    ],
  ])('summarizes %s', async (_, message, expected) => {
    expect(await content(message)).toEqual({ type: 'unsupported', content: expected });
  });

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
      const before = ignoredKinds.length;
      await test.simulator.sendFromContact(contact, {
        to: phone,
        content: {
          type: 'raw',
          message: {
            associatedChildMessage: {
              message: {
                videoMessage: media,
                messageContextInfo: association('MOTION_PHOTO', first.networkMessageId),
              },
            },
          },
        },
      });
      await until(() => ignoredKinds.length > before);
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
