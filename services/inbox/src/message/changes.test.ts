import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  MessageAccepted,
  MessageDeleted,
  MessageEdited,
  MessageMedia,
  MessageReaction,
  MessageVote,
  SessionMessage,
  mediaUrl,
} from '@messaging-gateway/contracts';
import {
  accepted,
  arrived,
  edited,
  incoming,
  outgoing,
  picture,
  pictureKey,
  reacted,
  revoked,
  voted,
  type Accepted,
  type Arrived,
} from '../facts.fixture.ts';
import { InboxFixture, ada, ownNumber } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const newest = async () => (await fixture.ofProfile()).items[0];

/** A message from Ada, stored. */
async function come(differences: Partial<Arrived> = {}): Promise<string> {
  const message = arrived(fixture.profileId, ada, 'Hello', differences);
  await fixture.arrive(message);
  return message.networkMessageId;
}

describe('a reaction', () => {
  it('is shown with the message, and told', async () => {
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'Hello');
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    await fixture.change(outgoing(text.networkMessageId), reacted('👍'));
    expect(await fixture.message(text.messageId)).toMatchObject({
      content: { text: 'Hello' },
      status: 'queued',
      reactions: [{ emoji: '👍', from: `${ada}@c.us`, fromMe: false, timestamp: expect.any(String) }],
    });
    expect(await fixture.toldAs(MessageReaction)).toMatchObject([
      {
        data: {
          messageId: text.messageId,
          networkMessageId: text.networkMessageId,
          conversationId: text.conversationId,
          from: `${ada}@c.us`,
          emoji: '👍',
          fromMe: false,
        },
      },
    ]);
  });

  it('takes the place of the former one of the same person, and can be taken back', async () => {
    const id = await come();
    await fixture.change(incoming(id), reacted('👍'));
    await fixture.change(incoming(id), reacted('❤️'));
    await fixture.change(incoming(id), reacted('🙏'), { fromMe: true });
    expect((await newest())?.reactions).toMatchObject([
      { emoji: '❤️', from: `${ada}@c.us`, fromMe: false },
      { emoji: '🙏', from: `${ownNumber}@c.us`, fromMe: true },
    ]);
    await fixture.change(incoming(id), reacted(''));
    expect((await newest())?.reactions).toMatchObject([{ emoji: '🙏' }]);
    expect((await fixture.toldAs(MessageReaction)).map(({ data }) => data.emoji)).toEqual(['👍', '❤️', '🙏', '']);
  });

  it('is told once, however often it is delivered, and does not come back when an old one is', async () => {
    const id = await come();
    const first = { at: '2026-02-01T00:00:00.100Z' };
    for (let time = 0; time < 2; time++) await fixture.change(incoming(id), reacted('👍'), first);
    await fixture.change(incoming(id), reacted('❤️'), { at: '2026-02-01T00:00:00.200Z' });
    await fixture.change(incoming(id), reacted('👍'), { ...first, delivery: 'replayed' });
    expect((await fixture.toldAs(MessageReaction)).map(({ data }) => data.emoji)).toEqual(['👍', '❤️']);
    expect((await newest())?.reactions).toMatchObject([{ emoji: '❤️' }]);
  });

  it('within the second of the last one replaces it, also with the emoji from before', async () => {
    const id = await come();
    const at = '2026-02-01T00:00:01.000Z';
    for (const emoji of ['👍', '', '👍']) await fixture.change(incoming(id), reacted(emoji), { at });
    expect((await newest())?.reactions).toMatchObject([{ emoji: '👍' }]);
    expect((await fixture.toldAs(MessageReaction)).map(({ data }) => data.emoji)).toEqual(['👍', '', '👍']);
  });

  it('is stored silently when it is history', async () => {
    const id = await come({ delivery: 'history' });
    await fixture.change(incoming(id), reacted('👍'), { delivery: 'history' });
    expect((await newest())?.reactions).toHaveLength(1);
    expect(await fixture.toldAs(MessageReaction)).toEqual([]);
  });

  it('in a group is told with its author', async () => {
    const chat = { jid: '120363000000000009@g.us' };
    const id = await come({ chat });
    await fixture.change({ ...incoming(id), author: `${ada}@c.us` }, reacted('👍'), { chat });
    expect(await fixture.toldAs(MessageReaction)).toMatchObject([{ data: { from: chat.jid, author: `${ada}@c.us` } }]);
  });
});

describe('an edit', () => {
  it('changes the text, and is told', async () => {
    const id = await come();
    await fixture.change(incoming(id), edited('Hello again'));
    expect(await newest()).toMatchObject({ content: { text: 'Hello again' }, editedAt: expect.any(String) });
    expect(await fixture.toldAs(MessageEdited)).toMatchObject([{ data: { body: 'Hello again', from: `${ada}@c.us` } }]);
    expect((await fixture.conversations()).items[0]?.lastMessage).toMatchObject({ content: { text: 'Hello again' } });
  });

  it('changes the caption of media, which stay', async () => {
    const id = await come({ content: picture });
    await fixture.change(incoming(id), edited('Harbour at night'));
    expect((await newest())?.content).toEqual({
      type: 'image',
      caption: 'Harbour at night',
      media: { url: mediaUrl(pictureKey), mimetype: 'image/png', size: 68 },
    });
  });

  it('within the second of the last one replaces it: times are whole seconds', async () => {
    const id = await come();
    const at = '2026-02-01T00:00:01.000Z';
    for (const text of ['B2', 'B3', 'B2']) await fixture.change(incoming(id), edited(text), { at });
    expect(await newest()).toMatchObject({ content: { text: 'B2' } });
    expect((await fixture.toldAs(MessageEdited)).map(({ data }) => data.body)).toEqual(['B2', 'B3', 'B2']);
  });

  it('older than the last one changes nothing', async () => {
    const id = await come();
    await fixture.change(incoming(id), edited('second'), { at: '2026-02-01T00:00:02.000Z' });
    await fixture.change(incoming(id), edited('first'), { at: '2026-02-01T00:00:01.000Z' });
    expect(await newest()).toMatchObject({ content: { text: 'second' } });
    expect(await fixture.toldAs(MessageEdited)).toHaveLength(1);
  });

  it('by somebody who did not write the message changes nothing', async () => {
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'Mine');
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    await fixture.change(outgoing(text.networkMessageId), edited('Hers'));
    await fixture.change(outgoing(text.networkMessageId), revoked);
    expect(await fixture.message(text.messageId)).toMatchObject({ content: { text: 'Mine' }, status: 'queued' });
    const chat = { jid: '120363000000000009@g.us' };
    const id = await come({ chat });
    const grace = { jid: '4915100000009@c.us', phone: '4915100000009' };
    await fixture.change({ ...incoming(id), author: `${ada}@c.us` }, edited('Forged'), { chat, author: grace });
    expect(await newest()).toMatchObject({ content: { text: 'Hello' } });
    expect(await fixture.toldAs(MessageEdited)).toEqual([]);
  });
});

describe('a message deleted for everyone', () => {
  it('has lost its content, and is told once', async () => {
    const id = await come();
    await fixture.change(incoming(id), reacted('👍'));
    await fixture.change(incoming(id), revoked);
    await fixture.change(incoming(id), revoked);
    await fixture.change(incoming(id), edited('Back again'));
    const message = await newest();
    expect(message).toMatchObject({ status: 'deleted', type: 'text', content: {} });
    expect(message).not.toHaveProperty('reactions');
    expect(await fixture.toldAs(MessageDeleted)).toMatchObject([
      { data: { messageId: message?.id, from: `${ada}@c.us` } },
    ]);
    const rows = await fixture.service.sql.query('SELECT * FROM messages WHERE profile_id = $1', [fixture.profileId]);
    expect(JSON.stringify(rows)).not.toContain('Hello');
  });

  it('can be one that the gateway sent, deleted through the gateway', async () => {
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'Hello');
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    await fixture.change(outgoing(text.networkMessageId), revoked, { fromMe: true });
    expect(await fixture.message(text.messageId)).toMatchObject({ status: 'deleted', content: {} });
    expect(await fixture.toldAs(MessageDeleted)).toMatchObject([{ data: { fromMe: true } }]);
  });
});

describe('votes in a poll', () => {
  const poll: Accepted['content'] = { type: 'poll', content: { question: 'When?', options: ['Monday', 'Tuesday'] } };

  it('are shown with the poll, the last ones of each person, and told', async () => {
    const message = { ...accepted(fixture.profileId, `${ada}@c.us`, ''), type: 'poll' as const, content: poll };
    await fixture.service.emit(MessageAccepted, message, fixture.about());
    await fixture.change(outgoing(message.networkMessageId), voted('Monday'));
    await fixture.change(outgoing(message.networkMessageId), voted('Tuesday'));
    expect(await fixture.message(message.messageId)).toMatchObject({
      content: { question: 'When?' },
      votes: [{ options: ['Tuesday'], from: `${ada}@c.us`, fromMe: false }],
    });
    expect((await fixture.toldAs(MessageVote)).map(({ data }) => data.options)).toEqual([['Monday'], ['Tuesday']]);
    const at = '2026-03-01T00:00:01.000Z';
    for (const option of ['Monday', 'Tuesday', 'Monday'])
      await fixture.change(outgoing(message.networkMessageId), voted(option), { at });
    expect(await fixture.message(message.messageId)).toMatchObject({ votes: [{ options: ['Monday'] }] });
    await fixture.change(outgoing(message.networkMessageId), voted(), { at: '2026-03-01T00:00:02.000Z' });
    expect(await fixture.message(message.messageId)).not.toHaveProperty('votes');
  });
});

describe('changes that come before their message', () => {
  it('are kept until it comes, in their order, and told then', async () => {
    const message = arrived(fixture.profileId, ada, 'Hello');
    await fixture.change(incoming(message.networkMessageId), reacted('👍'));
    await fixture.change(incoming(message.networkMessageId), edited('Hello again'));
    await fixture.change(incoming(message.networkMessageId), reacted('❤️'));
    expect(await fixture.toldAs(MessageReaction)).toEqual([]);
    await fixture.arrive(message);
    expect(await newest()).toMatchObject({ content: { text: 'Hello again' }, reactions: [{ emoji: '❤️' }] });
    expect(await fixture.toldAs(MessageEdited)).toHaveLength(1);
    await fixture.arrive(message);
    expect((await fixture.toldAs(MessageReaction)).map(({ data }) => data.emoji)).toEqual(['👍', '❤️']);
    const open = await fixture.service.sql.query('SELECT change FROM waiting_changes WHERE change <> $1', ['{}']);
    expect(open).toEqual([]);
  });

  it('of the same second are made in the order in which they arrived', async () => {
    const message = arrived(fixture.profileId, ada, 'Hello');
    const at = '2026-02-01T00:00:01.000Z';
    const texts = ['a', 'b', 'c', 'd', 'e'];
    for (const text of texts) await fixture.change(incoming(message.networkMessageId), edited(text), { at });
    await fixture.arrive(message);
    expect((await fixture.toldAs(MessageEdited)).map(({ data }) => data.body)).toEqual(texts);
  });

  it('are not forgotten when the inbox ends meanwhile', async () => {
    const message = arrived(fixture.profileId, ada, 'Hello');
    await fixture.change(incoming(message.networkMessageId), reacted('👍'));
    await fixture.service.restart();
    await fixture.arrive(message);
    expect(await newest()).toMatchObject({ reactions: [{ emoji: '👍' }] });
  });

  it('wait for a message of the same chat, not for one of another under the same id', async () => {
    const message = arrived(fixture.profileId, ada, 'Hello');
    await fixture.change(incoming(message.networkMessageId), revoked);
    await fixture.arrive(
      arrived(fixture.profileId, '4915100000009', 'Not me', { networkMessageId: message.networkMessageId }),
    );
    expect(await newest()).toMatchObject({ content: { text: 'Not me' } });
    await fixture.arrive(message);
    expect(await newest()).toMatchObject({ status: 'deleted', content: {} });
  });

  it('hold nothing in the journal in the clear', async () => {
    await fixture.change(incoming('3EB0000000000001'), edited('a private change'));
    const rows = await fixture.service.sql.query("SELECT data FROM events WHERE stream LIKE 'waiting-change-%'");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/a private change|4915112345678/);
  });

  it('meet their message however both cross', async () => {
    const messages = Array.from({ length: 20 }, (_, index) => arrived(fixture.profileId, ada, `text ${index}`));
    await Promise.all(
      messages.flatMap((message, index) => {
        const both = [
          () => fixture.service.emit(SessionMessage, message, fixture.about()),
          () => fixture.change(incoming(message.networkMessageId), reacted('👍')),
        ];
        return (index % 2 === 0 ? both : both.toReversed()).map((one) => one());
      }),
    );
    const { items } = await fixture.ofProfile();
    expect(items.map(({ reactions }) => reactions?.length)).toEqual(messages.map(() => 1));
    expect(await fixture.toldAs(MessageReaction)).toHaveLength(messages.length);
  });
});

describe('a better form of media', () => {
  const sharpKey = pictureKey.replace(/3$/, '9');
  /** Ada sends the better form of a picture. */
  const sharpen = (networkMessageId: string, differences: Partial<Arrived> = {}): Promise<void> =>
    fixture.arrive(
      arrived(fixture.profileId, ada, '', {
        content: {
          type: 'image',
          content: { caption: 'Harbour', media: { key: sharpKey, mimetype: 'image/jpeg', size: 2_000 } },
        },
        replacesMediaOf: incoming(networkMessageId),
        ...differences,
      }),
    );
  const sharp = { url: mediaUrl(sharpKey), mimetype: 'image/jpeg', size: 2_000 };
  const plain = { url: mediaUrl(pictureKey), mimetype: 'image/png', size: 68 };

  it('replaces the media, once; the message stays one, unread once and not edited', async () => {
    const networkMessageId = await come({ content: picture });
    const twice: Partial<Arrived> = { networkMessageId: 'SHARP', sentAt: '2026-02-01T10:00:00.000Z' };
    await sharpen(networkMessageId, twice);
    await sharpen(networkMessageId, twice);
    const { items } = await fixture.ofProfile();
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ networkMessageId, content: { caption: 'Harbour', media: sharp } });
    expect(items[0]).not.toHaveProperty('editedAt');
    const { id: messageId, conversationId } = items[0] ?? {};
    expect((await fixture.toldAs(MessageMedia)).map(({ data }) => data)).toEqual([
      { messageId, conversationId, media: sharp },
    ]);
    expect(await fixture.toldAs(MessageEdited)).toEqual([]);
    expect((await fixture.conversations()).items.map(({ unreadCount }) => unreadCount)).toEqual([1]);
  });

  it('that comes first waits for its message', async () => {
    await sharpen('LATER');
    expect((await fixture.ofProfile()).items).toEqual([]);
    await come({ networkMessageId: 'LATER', content: picture });
    expect((await newest())?.content).toMatchObject({ media: sharp });
  });

  it.each<[string, Partial<Arrived>]>([
    [
      'could not be fetched',
      { content: { type: 'image', content: { media: { mimetype: 'image/jpeg', size: 2_000 } } } },
    ],
    [
      'are of another type',
      { content: { type: 'video', content: { media: { key: sharpKey, mimetype: 'video/mp4', size: 2_000 } } } },
    ],
  ])('changes nothing when its media %s', async (_, differences) => {
    const networkMessageId = await come({ content: picture });
    await sharpen(networkMessageId, differences);
    expect((await fixture.ofProfile()).items.map(({ content }) => content)).toMatchObject([{ media: plain }]);
    expect(await fixture.toldAs(MessageMedia)).toEqual([]);
  });
});
