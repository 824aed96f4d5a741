import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ContactUpdated,
  MessageDeleted,
  NamePeople,
  SessionGroupNamed,
  conversationIdOf,
  type DataOf,
} from '@messaging-gateway/contracts';
import { arrived, incoming, revoked, type Changed } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const group = '120363000000000021@g.us';
const inGroup = { chat: { jid: group } };
const grace = { jid: '4915100000009@c.us', phone: '4915100000009' };

describe('a group in the inbox', () => {
  const named = async (name: string, second: number): Promise<void> => {
    const data: DataOf<typeof SessionGroupNamed> = {
      profileId: fixture.profileId,
      group,
      name,
      since: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
    };
    await fixture.service.emit(SessionGroupNamed, data, fixture.about());
  };

  it('goes by its newest name, whether that or the message came first', async () => {
    await named('Choir', 1);
    expect((await fixture.conversations()).items).toEqual([]);
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello all', inGroup));
    const id = conversationIdOf(fixture.profileId, group);
    expect((await fixture.conversations()).items).toMatchObject([{ id, jid: group, type: 'group', name: 'Choir' }]);
    await named('Chamber choir', 3);
    await named('Late news', 2);
    expect((await fixture.conversations()).items).toMatchObject([{ name: 'Chamber choir', unreadCount: 1 }]);
  });

  it('is found by its name, by its own organization alone', async () => {
    await named('Chamber choir', 1);
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello all', inGroup));
    expect(await fixture.conversations({ search: 'CHAMBER' })).toMatchObject({ total: 1, items: [{ jid: group }] });
    expect(await fixture.conversations({ search: 'orchestra' })).toMatchObject({ total: 0 });
    fixture.renew();
    expect(await fixture.conversations({ search: 'chamber' })).toMatchObject({ total: 0 });
  });
});

describe('a message in a group', () => {
  const remove = async (differences: Partial<Changed>) => {
    const message = arrived(fixture.profileId, ada, 'Hello all', inGroup);
    await fixture.arrive(message);
    const target = { ...incoming(message.networkMessageId), author: `${ada}@c.us` };
    await fixture.change(target, revoked, { ...inGroup, ...differences });
    return (await fixture.ofProfile()).items[0];
  };

  it('is deleted by its author', async () => {
    expect(await remove({})).toMatchObject({ status: 'deleted', content: {} });
  });

  it('is deleted by an admin, who is told', async () => {
    expect(await remove({ author: grace, byAdmin: true })).toMatchObject({ status: 'deleted', content: {} });
    expect(await fixture.toldAs(MessageDeleted)).toMatchObject([{ data: { from: group, author: grace.jid } }]);
  });

  it('is not deleted by another member, nor by one who says to have written it', async () => {
    expect(await remove({ author: grace })).toMatchObject({ content: { text: 'Hello all' } });
    const message = arrived(fixture.profileId, ada, 'And this', inGroup);
    await fixture.arrive(message);
    const target = { ...incoming(message.networkMessageId), author: grace.jid };
    await fixture.change(target, revoked, { ...inGroup, author: grace });
    expect((await fixture.ofProfile()).items[0]).toMatchObject({ content: { text: 'And this' } });
    expect(await fixture.toldAs(MessageDeleted)).toEqual([]);
  });
});

describe('names of people', () => {
  it('are those of contacts, by phone and by LID, of the own organization', async () => {
    const lid = '100000000000031@lid';
    const both = { jid: `${ada}@c.us`, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello', { chat: both, author: both }));
    expect(await fixture.toldAs(ContactUpdated)).toHaveLength(1);
    const names = async (organizationId: string) =>
      fixture.service.ask(NamePeople, {
        organizationId,
        profileId: fixture.profileId,
        jids: [`${ada}@c.us`, lid, grace.jid],
      });
    expect(await names(fixture.caller.organizationId)).toEqual({ names: { [`${ada}@c.us`]: 'Ada', [lid]: 'Ada' } });
    fixture.renew();
    expect(await names(fixture.caller.organizationId)).toEqual({ names: {} });
  });
});
