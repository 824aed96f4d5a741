import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IncomingContentOf } from '@messaging-gateway/contracts';
import { contentsTest, type ContentsTest } from '../../testing/contents-test.ts';

type Raw = Record<string, unknown>;

const phone = '4915120000321';
const contact = '4915100000321';

describe('received choices and summaries', () => {
  let test: ContentsTest;
  const media = { mimetype: 'image/jpeg', fileLength: 9 };
  beforeAll(async () => {
    test = await contentsTest(phone, contact);
  });
  afterAll(() => test.stop());

  const received = async (message: Raw) => (await test.received({ type: 'raw', message })).data;
  const content = async (message: Raw): Promise<IncomingContentOf> => (await received(message)).content;

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
      const quoting = { contextInfo: { ...contextInfo, quotedMessage } };
      const answer = Object.fromEntries(
        Object.entries(message).map(([kind, inner]) => [kind, Object.assign({}, inner, quoting)]),
      );
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
});
