import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MessageRecovered, type IncomingContentOf } from '@messaging-gateway/contracts';
import { arrived, edited, incoming, reacted, revoked, type Arrived } from '../facts.fixture.ts';
import { InboxFixture, ada, textsOf } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const unavailable: IncomingContentOf = {
  type: 'unsupported',
  content: { kind: 'unavailable', reason: 'notDelivered' },
};

describe('a message that was stored without its content', () => {
  /** Stores it without content. */
  async function stored(differences: Partial<Arrived> = {}): Promise<Arrived> {
    const message = arrived(fixture.profileId, ada, '', { content: unavailable, ...differences });
    await fixture.arrive(message);
    return message;
  }
  const recovered = (message: Arrived, content: IncomingContentOf): Arrived => ({
    ...message,
    content,
    recovered: true,
  });
  const text: IncomingContentOf = { type: 'text', content: { text: 'I saw your ad' } };

  it('is published without a body, and its record says why', async () => {
    await stored({
      content: { type: 'unsupported', content: { kind: 'unavailable', reason: 'viewOnce', viewOnce: true } },
    });
    const [event] = await fixture.told();
    expect(event?.data).toMatchObject({
      type: 'unsupported',
      content: { type: 'unsupported', kind: 'unavailable', reason: 'viewOnce', viewOnce: true },
    });
    expect(event?.data).not.toHaveProperty('body');
  });

  it('gets its content under the same id, once, and is not unread a second time', async () => {
    const message = await stored();
    const [before] = (await fixture.ofProfile()).items;
    await fixture.arrive(recovered(message, text));
    await fixture.arrive(recovered(message, text));
    const { items } = await fixture.ofProfile();
    expect(items).toMatchObject([{ id: before?.id, type: 'text', content: { type: 'text', text: 'I saw your ad' } }]);
    expect(await fixture.toldAs(MessageRecovered)).toMatchObject([
      { data: { id: before?.id, body: 'I saw your ad', type: 'text', from: `${ada}@c.us` } },
    ]);
    expect(await fixture.told()).toHaveLength(1);
    expect((await fixture.conversations()).items).toMatchObject([{ unreadCount: 1, lastMessage: { type: 'text' } }]);
    expect(textsOf(await fixture.ofProfile({ search: 'your ad' }))).toEqual(['I saw your ad']);
  });

  it('gets media, and can be edited and reacted to afterwards', async () => {
    const message = await stored();
    const media = { mimetype: 'image/png', size: 68 };
    await fixture.arrive(recovered(message, { type: 'image', content: { caption: 'Look', media } }));
    const target = incoming(message.networkMessageId);
    await fixture.change(target, reacted('👍'));
    await fixture.change(target, edited('Look here'));
    expect((await fixture.ofProfile()).items).toMatchObject([
      { type: 'image', content: { type: 'image', caption: 'Look here', media }, reactions: [{ emoji: '👍' }] },
    ]);
  });

  it('stays deleted when its content comes after the deletion', async () => {
    const message = await stored();
    await fixture.change(incoming(message.networkMessageId), revoked);
    await fixture.arrive(recovered(message, text));
    expect((await fixture.ofProfile()).items).toMatchObject([{ content: { type: 'deleted' } }]);
    expect(await fixture.toldAs(MessageRecovered)).toEqual([]);
  });

  it('is an ordinary message where nothing was stored before', async () => {
    await fixture.arrive(recovered(arrived(fixture.profileId, ada, ''), text));
    expect(await fixture.told()).toMatchObject([{ data: { body: 'I saw your ad' } }]);
    expect(await fixture.toldAs(MessageRecovered)).toEqual([]);
  });

  it('whose content is there already is left as it is', async () => {
    const message = arrived(fixture.profileId, ada, 'As it came');
    await fixture.arrive(message);
    await fixture.arrive(recovered(message, text));
    expect(textsOf(await fixture.ofProfile())).toEqual(['As it came']);
    expect(await fixture.toldAs(MessageRecovered)).toEqual([]);
  });
});

it('a message to a broadcast list says so in its event and its record', async () => {
  await fixture.arrive(arrived(fixture.profileId, ada, 'To all', { broadcast: true }));
  await fixture.arrive(arrived(fixture.profileId, ada, 'To one'));
  expect((await fixture.told()).map(({ data }) => data.broadcast)).toEqual([true, undefined]);
  const { items } = await fixture.ofProfile();
  expect(items.map((item) => [...textsOf({ items: [item] } as never), item.broadcast])).toEqual(
    expect.arrayContaining([
      ['To all', true],
      ['To one', undefined],
    ]),
  );
});
