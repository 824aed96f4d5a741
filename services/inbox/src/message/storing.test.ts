import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  MessageAccepted,
  MessageFailed,
  MessageSent,
  MessageStatusChanged,
  SessionMessage,
  conversationIdOf,
} from '@messaging-gateway/contracts';
import { accepted, arrived, edited, incoming, sent, status } from '../facts.fixture.ts';
import { InboxFixture, ada, ownNumber, textsOf } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const refusal = (code: string) => expect.objectContaining({ code });

describe('an outgoing message', () => {
  it('is stored as accepted and followed to the reader', async () => {
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'Hello');
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    expect(await fixture.message(text.messageId)).toEqual({
      id: text.messageId,
      profileId: fixture.profileId,
      conversationId: text.conversationId,
      networkMessageId: text.networkMessageId,
      direction: 'outgoing',
      from: `${ownNumber}@c.us`,
      to: `${ada}@c.us`,
      type: 'text',
      content: { type: 'text', text: 'Hello' },
      quotedMessageId: null,
      status: 'queued',
      error: null,
      timestamp: text.acceptedAt,
      createdAt: expect.any(String),
    });
    await fixture.service.emit(MessageSent, sent(text), fixture.about());
    expect(await fixture.message(text.messageId)).toMatchObject({ status: 'sent' });
    await fixture.service.emit(MessageStatusChanged, status(text, 'read'), fixture.about());
    await fixture.service.emit(MessageStatusChanged, status(text, 'delivered'), fixture.about());
    expect(await fixture.message(text.messageId)).toMatchObject({ status: 'read' });
    expect(await fixture.told()).toEqual([]);
  });

  it('is stored right when the news of it come first', async () => {
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'Hello');
    await fixture.service.emit(MessageStatusChanged, status(text, 'delivered'), fixture.about());
    await fixture.service.emit(MessageSent, sent(text), fixture.about());
    await expect(fixture.message(text.messageId)).rejects.toEqual(refusal('NOT_FOUND'));
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    expect(await fixture.message(text.messageId)).toMatchObject({ status: 'delivered', content: { text: 'Hello' } });
  });

  it('says why it failed', async () => {
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'Hello');
    const error = { code: 'EXPIRED', message: 'The message could not go out in time.' };
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    await fixture.service.emit(MessageStatusChanged, status(text, 'failed'), fixture.about());
    await fixture.service.emit(MessageFailed, { ...sent(text), error }, fixture.about());
    expect(await fixture.message(text.messageId)).toMatchObject({ status: 'failed', error });
  });
});

describe('an incoming message', () => {
  it('is stored whatever the sender put into it', async () => {
    const words = Array.from({ length: 200_000 }, (_, word) => word.toString(36)).join(' ');
    const text = arrived(fixture.profileId, ada, words, { quotedNetworkMessageId: 'A\0B' });
    await fixture.arrive(text);
    expect(textsOf(await fixture.ofProfile())).toEqual([words.slice(0, 65_536)]);
    await fixture.change(incoming(text.networkMessageId), edited(`edited ${words}`));
    expect(textsOf(await fixture.ofProfile({ search: 'edited' }))).toEqual([`edited ${words}`.slice(0, 65_536)]);
    expect(await fixture.told()).toMatchObject([{ data: { body: words.slice(0, 65_536) } }]);
  });

  it('is told with all that it says, a sticker as a sticker', async () => {
    const media = { mimetype: 'image/webp', size: 68 };
    const content = { type: 'image' as const, content: { sticker: true, animated: true, forwarded: true, media } };
    const quotedFields = { type: 'document' as const, filename: 'menu.pdf' };
    const quoted = { quotedNetworkMessageId: '3EB000000000000A', quotedBody: 'Lunch?', quotedFields };
    const sticker = arrived(fixture.profileId, ada, '', { content, pushName: 'Ada L.', ...quoted });
    await fixture.arrive(sticker);
    const shown = { type: 'sticker', animated: true, forwarded: true, media };
    expect((await fixture.ofProfile()).items).toMatchObject([{ type: 'sticker', content: shown }]);
    expect(await fixture.told()).toMatchObject([
      {
        data: {
          type: 'sticker',
          content: shown,
          hasMedia: true,
          pushName: 'Ada L.',
          quoted: { networkMessageId: '3EB000000000000A', body: 'Lunch?', ...quotedFields },
        },
      },
    ]);
  });

  it('is stored, told and counted as unread', async () => {
    const hello = arrived(fixture.profileId, ada, 'Hello');
    await fixture.arrive(hello);
    const conversationId = conversationIdOf(fixture.profileId, `${ada}@c.us`);
    const { items } = await fixture.ofProfile();
    expect(items).toEqual([
      expect.objectContaining({
        conversationId,
        direction: 'incoming',
        from: `${ada}@c.us`,
        to: `${ownNumber}@c.us`,
        status: 'received',
        content: { type: 'text', text: 'Hello' },
        networkMessageId: hello.networkMessageId,
        timestamp: hello.sentAt,
      }),
    ]);
    expect(await fixture.told()).toEqual([
      expect.objectContaining({
        data: {
          id: items[0]?.id,
          networkMessageId: hello.networkMessageId,
          conversationId,
          from: `${ada}@c.us`,
          to: `${ownNumber}@c.us`,
          pushName: hello.pushName,
          body: 'Hello',
          type: 'text',
          content: { type: 'text', text: 'Hello' },
          hasMedia: false,
          firstEver: true,
          timestamp: hello.sentAt,
        },
      }),
    ]);
    expect(await fixture.conversations()).toMatchObject({
      total: 1,
      nextCursor: null,
      items: [
        {
          id: conversationId,
          profileId: fixture.profileId,
          jid: `${ada}@c.us`,
          type: 'user',
          name: 'Ada',
          unreadCount: 1,
          lastMessage: items[0],
        },
      ],
    });
  });

  it('is stored and told once, however often the network delivers it', async () => {
    const hello = arrived(fixture.profileId, ada, 'Hello');
    await fixture.arrive(hello);
    await fixture.arrive(hello);
    await fixture.arrive({ ...hello, delivery: 'replayed', sentAt: new Date(0).toISOString() });
    expect((await fixture.ofProfile()).items).toHaveLength(1);
    expect(await fixture.told()).toHaveLength(1);
    expect((await fixture.conversations()).items).toMatchObject([{ unreadCount: 1 }]);
  });

  it('is stored once when history brings it after its key was forgotten', async () => {
    const hello = arrived(fixture.profileId, ada, 'Hello');
    await fixture.arrive(hello);
    await fixture.service.sql.query('DELETE FROM once');
    await fixture.arrive({ ...hello, delivery: 'history' });
    expect((await fixture.ofProfile()).items).toHaveLength(1);
  });

  it('is another one when another contact chose the same network id', async () => {
    const hello = arrived(fixture.profileId, ada, 'Hello');
    await fixture.arrive(hello);
    await fixture.arrive(
      arrived(fixture.profileId, '4915100000001', 'Me too', { networkMessageId: hello.networkMessageId }),
    );
    expect(await fixture.told()).toHaveLength(2);
  });

  it('is marked when it was missed while away', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello', { delivery: 'replayed' }));
    expect(await fixture.told()).toMatchObject([{ data: { replayed: true } }]);
  });

  it('is stored silently when it is history', async () => {
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'Long ago', { delivery: 'history', sentAt: '2020-05-01T10:00:00.000Z' }),
    );
    expect(textsOf(await fixture.ofProfile())).toEqual(['Long ago']);
    expect(await fixture.told()).toEqual([]);
    expect((await fixture.conversations()).items).toMatchObject([
      { unreadCount: 0, lastMessageAt: '2020-05-01T10:00:00.000Z' },
    ]);
  });

  it('is stored silently when sessions of an older version tells history among the others', async () => {
    const old = arrived(fixture.profileId, ada, 'Old', { delivery: 'history' });
    await fixture.service.emit(SessionMessage, old, fixture.about());
    expect(textsOf(await fixture.ofProfile())).toEqual(['Old']);
    expect(await fixture.told()).toEqual([]);
  });

  it('names the message that it quotes', async () => {
    const question = accepted(fixture.profileId, `${ada}@c.us`, 'How are you?');
    await fixture.service.emit(MessageAccepted, question, fixture.about());
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'Fine', { quotedNetworkMessageId: question.networkMessageId }),
    );
    expect((await fixture.ofProfile()).items[0]).toMatchObject({ quotedMessageId: question.messageId });
    expect(await fixture.told()).toMatchObject([{ data: { quotedMessageId: question.messageId } }]);
  });

  it('names its author in a group', async () => {
    const group = '120363000000000001@g.us';
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello all', { chat: { jid: group } }));
    expect((await fixture.ofProfile()).items).toMatchObject([{ from: group, author: `${ada}@c.us` }]);
    expect(await fixture.told()).toMatchObject([{ data: { from: group, author: `${ada}@c.us` } }]);
    expect((await fixture.conversations({ type: 'group' })).items).toMatchObject([
      { jid: group, type: 'group', name: null },
    ]);
    expect((await fixture.conversations({ type: 'user' })).items).toEqual([]);
  });
});

describe('a message written on the phone', () => {
  it('is stored as outgoing and told as sent', async () => {
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'From my phone', { fromMe: true, author: { jid: `${ownNumber}@c.us` } }),
    );
    const [stored] = (await fixture.ofProfile()).items;
    expect(stored).toMatchObject({
      direction: 'outgoing',
      status: 'sent',
      from: `${ownNumber}@c.us`,
      to: `${ada}@c.us`,
    });
    const events = (await fixture.service.published(MessageSent)).filter(
      (event) => event.profileId === fixture.profileId,
    );
    expect(events).toMatchObject([
      { data: { messageId: stored?.id, to: `${ada}@c.us`, type: 'text', origin: 'phone' } },
    ]);
    expect((await fixture.conversations()).items).toMatchObject([{ unreadCount: 0 }]);
  });

  it('is none that the gateway sent itself', async () => {
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'Hello');
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'Hello', { fromMe: true, networkMessageId: text.networkMessageId }),
    );
    expect((await fixture.ofProfile()).items).toHaveLength(1);
  });
});
