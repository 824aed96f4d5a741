import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FindMessage,
  MessageAccepted,
  MessageSent,
  ScheduleMessage,
  SendAudio,
  SendBulk,
  SendContact,
  SendDocument,
  SendImage,
  SendLocation,
  SendPoll,
  SendReply,
  SendText,
  SendVideo,
  mediaKey,
  mediaUrl,
  type Operation,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { png, sourceOf } from '@messaging-gateway/media/testing';
import { v7 } from 'uuid';
import { outboundTest, recipient, type OutboundTest, type TestProfile } from '../testing/outbound-test.ts';
import { eventually } from '../testing/eventually.ts';

let outbound: OutboundTest;
let profile: TestProfile;
let mine: { profileId: string; to: string };
beforeAll(async () => {
  outbound = await outboundTest();
  profile = await outbound.profile();
  mine = { profileId: profile.profileId, to: recipient };
});
afterAll(() => outbound.stop());

const call = (contract: Operation, body: object, caller = profile.caller) =>
  outbound.service.call(contract, { caller, body });
const lastHanded = () => outbound.network.handed.at(-1)?.content;
const url = 'https://8.8.8.8/picture';
const upload = async (organizationId = profile.caller.organizationId, bytes = png(100)): Promise<string> => {
  const key = mediaKey({ organizationId }, v7());
  await outbound.service.media.put(key, sourceOf(bytes));
  return key;
};

/** Type, route, body of the client, and content handed to the network. */
const sends: readonly [string, Operation, object, object][] = [
  [
    'text',
    SendText,
    { text: 'Hello', mentions: ['+49 151 12345679'], linkPreview: true },
    { content: { text: 'Hello', mentions: ['4915112345679@c.us'], linkPreview: true } },
  ],
  [
    'location',
    SendLocation,
    { latitude: -90, longitude: 180, name: 'Pole' },
    { content: { latitude: -90, longitude: 180, name: 'Pole' } },
  ],
  [
    'contact',
    SendContact,
    {
      contacts: [
        { name: 'Ada', phone: '+49 (151) 123-45679', email: 'ada@example.com' },
        { name: 'Bob', phone: '4915112345670' },
      ],
    },
    {
      content: {
        contacts: [
          { name: 'Ada', phone: '4915112345679', email: 'ada@example.com' },
          { name: 'Bob', phone: '4915112345670' },
        ],
      },
    },
  ],
  [
    'contact',
    SendContact,
    {
      contacts: [
        {
          name: 'Ada',
          phones: [{ phone: '+49 151 12345679', label: 'Work' }, { phone: '4930123456' }],
          organization: 'Tea',
        },
        { name: 'Bob', phone: '4930123456', phones: [{ phone: '4915112345679' }, { phone: '+49 30 123456' }] },
      ],
    },
    {
      content: {
        contacts: [
          {
            name: 'Ada',
            phone: '4915112345679',
            phones: [{ phone: '4915112345679', label: 'Work' }, { phone: '4930123456' }],
            organization: 'Tea',
          },
          { name: 'Bob', phone: '4930123456', phones: [{ phone: '4930123456' }, { phone: '4915112345679' }] },
        ],
      },
    },
  ],
  [
    'poll',
    SendPoll,
    { question: 'When?', options: ['Monday', 'Tuesday'], allowMultiple: true },
    { content: { question: 'When?', options: ['Monday', 'Tuesday'], allowMultiple: true } },
  ],
  ['image', SendImage, { url, caption: 'Look' }, { content: { caption: 'Look' }, media: { url } }],
  [
    'video',
    SendVideo,
    { url, gif: true, caption: 'Us', mentions: ['+49 151 12345679'] },
    { content: { gif: true, caption: 'Us', mentions: ['4915112345679@c.us'] }, media: { url } },
  ],
  [
    'audio',
    SendAudio,
    { url, mimetype: 'audio/ogg; codecs=opus' },
    { content: { mimetype: 'audio/ogg; codecs=opus' }, media: { url } },
  ],
  [
    'document',
    SendDocument,
    { url, filename: 'a.pdf', mentions: ['4915112345679'] },
    { content: { filename: 'a.pdf', mentions: ['4915112345679@c.us'] }, media: { url } },
  ],
];

describe('a message of any kind', () => {
  it.each(sends)(
    'is handed over as it was asked for, and told to the inbox: %s',
    async (type, contract, fields, handed) => {
      const reply = await call(contract, { ...mine, ...fields });
      expect(reply).toMatchObject({ status: 200, body: { status: 'sent', messageId: expect.any(String) } });
      expect(lastHanded()).toEqual({ type, ...handed });
      const [accepted] = (await outbound.service.published(MessageAccepted)).slice(-1);
      expect(accepted?.data).toMatchObject({ type, content: { type, ...handed }, to: `${recipient}@c.us` });
      const { messageId } = reply.body as { messageId: string };
      const told = async () =>
        (await outbound.service.published(MessageSent)).find(({ data }) => data.messageId === messageId);
      // The answer comes first.
      await eventually(async () => (await told()) !== undefined);
      expect((await told())?.data).toMatchObject({ type });
    },
  );

  it('takes its place in the day, and none when the day is full', async () => {
    const limited = await outbound.profile({ dailyMessageLimit: 1 });
    const body = { profileId: limited.profileId, to: recipient, latitude: 1, longitude: 2 };
    expect((await call(SendLocation, body, limited.caller)).status).toBe(200);
    await expect(call(SendLocation, body, limited.caller)).rejects.toMatchObject({ code: 'DAILY_LIMIT_REACHED' });
  });

  it('belongs to profiles of the caller: another organization finds none, a key for others is refused', async () => {
    for (const [, contract, fields] of sends) {
      const body = { ...mine, ...fields };
      await expect(call(contract, body, testCaller())).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const key = { ...profile.caller, profileIds: [v7()] };
      await expect(call(contract, body, key)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  const faults: readonly [Operation, object, string][] = [
    [SendLocation, { latitude: 91, longitude: 0 }, 'body.latitude'],
    [SendLocation, { latitude: 0 }, 'body.longitude'],
    [SendContact, { contacts: [] }, 'body.contacts'],
    [SendContact, { contacts: [{ name: 'Ada', phone: 'none' }] }, 'body.contacts[0].phone'],
    [SendContact, { contacts: [{ name: 'Ada' }] }, 'body.contacts[0].phone'],
    [SendContact, { contacts: [{ name: 'Ada', phones: [{ phone: 'no' }] }] }, 'body.contacts[0].phones[0].phone'],
    [SendContact, { contacts: [{ name: 'Ada', phone: '4915112345670', email: 'no' }] }, 'body.contacts[0].email'],
    [SendPoll, { question: 'One?', options: ['only'] }, 'body.options'],
    [SendPoll, { question: 'Same?', options: ['a', 'a'] }, 'body.options'],
    [SendPoll, { question: '', options: ['a', 'b'] }, 'body.question'],
    [SendImage, {}, 'body.url'],
    [SendImage, { url, base64: 'AAAA' }, 'body.url'],
    [SendImage, { url: 'ftp://8.8.8.8/a' }, 'body.url'],
    [SendImage, { url: 'http://127.0.0.1/a' }, 'body.url'],
    [SendImage, { url: 'http://169.254.169.254/latest' }, 'body.url'],
    [SendImage, { url, mimetype: 'picture' }, 'body.mimetype'],
    [SendImage, { url, gif: true }, 'body.gif'],
    [SendDocument, { url }, 'body.filename'],
    [SendVideo, { url, mentions: ['4915112345679', 'all'] }, 'body.mentions[1]'],
    [SendText, { text: 'Hello', mentions: ['all'] }, 'body.mentions[0]'],
    [SendText, { text: '😀'.repeat(32_769) }, 'body.text'],
  ];
  it.each(faults)('is refused with the field named, and nothing is sent: %#', async (contract, fields, path) => {
    const before = outbound.network.handed.length;
    await expect(call(contract, { ...mine, ...fields })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.arrayContaining([expect.objectContaining({ path })]),
    });
    expect(outbound.network.handed).toHaveLength(before);
  });
});

describe('media of the store', () => {
  it('are sent by their URL, and by the key that stands for base64', async () => {
    const key = await upload();
    for (const given of [{ url: mediaUrl(key) }, { base64: key }]) {
      expect((await call(SendImage, { ...mine, ...given })).status).toBe(200);
      expect(lastHanded()).toMatchObject({ type: 'image', media: { key } });
    }
  });

  it('of others, of another kind, or gone are refused', async () => {
    const foreign = await upload(v7());
    const ofProfile = mediaKey({ organizationId: profile.caller.organizationId, profileId: v7() }, v7());
    const gone = mediaKey({ organizationId: profile.caller.organizationId }, v7());
    const named = (path: string) => ({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] });
    await expect(call(SendImage, { ...mine, url: mediaUrl(foreign) })).rejects.toMatchObject(named('body.url'));
    await expect(call(SendImage, { ...mine, base64: foreign })).rejects.toMatchObject(named('body.base64'));
    await expect(call(SendVideo, { ...mine, url: mediaUrl(await upload()) })).rejects.toMatchObject(named('body.url'));
    await expect(call(SendImage, { ...mine, url: mediaUrl(gone) })).rejects.toMatchObject({
      code: 'MEDIA_UNAVAILABLE',
      message: 'body.url names media that are not stored here any more.',
      details: [{ path: 'body.url' }],
    });
    const key = { ...profile.caller, profileIds: [profile.profileId] };
    await expect(call(SendImage, { ...mine, url: mediaUrl(ofProfile) }, key)).rejects.toMatchObject(named('body.url'));
  });

  it('are not meant by the same path of another host', async () => {
    const elsewhere = `http://8.8.8.8${mediaUrl(await upload())}`;
    expect((await call(SendImage, { ...mine, url: elsewhere })).status).toBe(200);
    expect(lastHanded()).toMatchObject({ type: 'image', media: { url: elsewhere } });
  });

  it('that cannot be fetched are told as such', async () => {
    outbound.network.script.push({ refuse: 'MEDIA_UNAVAILABLE' });
    await expect(call(SendImage, { ...mine, url })).rejects.toMatchObject({ code: 'MEDIA_UNAVAILABLE' });
  });
});

describe('a reply', () => {
  it('goes into the chat of the message that it quotes; any kind can quote', async () => {
    const quotedMessageId = v7();
    const chat = '120363000000000001@g.us';
    const author = '4915112345671@c.us';
    const { profileId } = profile;
    const stop = await outbound.service.fake(FindMessage, ({ messageId, organizationId }) => ({
      messageId,
      profileId: organizationId === profile.caller.organizationId && messageId === quotedMessageId ? profileId : v7(),
      networkMessageId: '3EB0AA',
      chat,
      author,
      fromMe: false,
      text: 'Well?',
      type: 'text' as const,
    }));
    const quoted = { networkMessageId: '3EB0AA', fromMe: false, author, text: 'Well?', type: 'text' };
    expect((await call(SendReply, { profileId, quotedMessageId, text: 'Yes' })).status).toBe(200);
    expect(outbound.network.handed.at(-1)).toMatchObject({
      to: chat,
      content: { type: 'text', content: { text: 'Yes' }, quoted },
    });
    expect((await call(SendLocation, { profileId, to: chat, latitude: 1, longitude: 2, quotedMessageId })).status).toBe(
      200,
    );
    expect(lastHanded()).toMatchObject({ type: 'location', quoted });
    const missing = { profileId, quotedMessageId: v7(), text: 'Yes' };
    await expect(call(SendReply, missing)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await stop();
  });

  it('never quotes a message of another chat, except one of a group to its author', async () => {
    const { profileId } = profile;
    const asked: unknown[] = [];
    let quotable: 'same-chat' | 'to-author' | 'other-chat' = 'other-chat';
    const chat = '120363000000000001@g.us';
    const stop = await outbound.service.fake(FindMessage, ({ messageId, quotedIn }) => {
      asked.push(quotedIn);
      return { messageId, profileId, networkMessageId: '3EB0AB', chat, fromMe: false, text: 'My account', quotable };
    });
    const quotedMessageId = v7();
    const later = new Date(outbound.service.clock.now() + 60_000).toISOString();
    const content = { text: 'Hello', quotedMessageId };
    const before = outbound.network.handed.length;
    for (const [contract, body, path] of [
      [SendText, { ...mine, ...content }, 'body.quotedMessageId'],
      [SendImage, { ...mine, url, quotedMessageId }, 'body.quotedMessageId'],
      [ScheduleMessage, { ...mine, type: 'text', content, scheduledAt: later }, 'body.content.quotedMessageId'],
      [
        SendBulk,
        { profileId, messages: [{ chatId: recipient, type: 'text', content }] },
        'body.messages[0].content.quotedMessageId',
      ],
    ] as const)
      await expect(call(contract, body)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [expect.objectContaining({ path })],
      });
    expect(outbound.network.handed).toHaveLength(before);
    expect(new Set(asked)).toEqual(new Set([`${recipient}@c.us`]));
    quotable = 'to-author';
    expect((await call(SendText, { ...mine, ...content })).status).toBe(200);
    expect(lastHanded()).toMatchObject({ quoted: { networkMessageId: '3EB0AB', chat, text: 'My account' } });
    await stop();
  });
});
