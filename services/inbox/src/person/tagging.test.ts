import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangeTags, ContactUpdated, CreateContact, DescribePerson, ListContacts } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { arrived } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const jid = `${ada}@c.us`;
const lid = '100000000000007@lid';
const tag = (differences: object = {}) =>
  fixture.service.ask(ChangeTags, {
    ...fixture.about(),
    jid,
    add: [],
    remove: [],
    actor: 'service:automation',
    once: v7(),
    ...differences,
  });
const contacts = async () =>
  ((await fixture.service.call(ListContacts, { caller: fixture.caller, query: {} })).body as { items: object[] }).items;
const told = async () => (await fixture.toldAs(ContactUpdated)).map(({ data: { change, tags } }) => [change, tags]);

describe('tags of a person', () => {
  it('are changed once, told and noted for the audit', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
    const once = v7();
    const first = await tag({ add: ['vip', 'new'], once });
    expect(first.tags).toEqual(['vip', 'new']);
    await tag({ remove: ['new', 'unknown'] });
    expect(await tag({ add: ['vip', 'new'], once })).toEqual({ ...first, tags: ['vip'] });
    expect(await tag({ add: ['vip'], remove: ['vip'] })).toEqual({ ...first, tags: ['vip'] });
    expect(await told()).toEqual([
      ['created', []],
      ['updated', ['vip', 'new']],
      ['updated', ['vip']],
    ]);
    const audited = await fixture.service.sql.query(
      `SELECT metadata->'audit'->>'action' AS action, metadata->>'actor' AS actor FROM events
        WHERE stream = $1 AND metadata->'audit' IS NOT NULL ORDER BY version`,
      [`contact-${first.contactId}`],
    );
    const actor = 'service:automation';
    expect(audited).toEqual([
      { action: 'contact.add_tags', actor },
      { action: 'contact.remove_tags', actor },
    ]);
  });

  it.each([[jid], [lid]])('make %s a contact, as a message would', async (name) => {
    expect(await tag({ jid: name, remove: ['vip'] })).toEqual({ contactId: null, tags: [] });
    expect(await contacts()).toEqual([]);
    const { contactId } = await tag({ jid: name, add: ['vip'] });
    expect(await contacts()).toMatchObject([{ id: contactId, tags: ['vip'], profileId: fixture.profileId }]);
    const who = name === lid ? { jid: lid, lid } : { jid, phone: ada };
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello', { chat: who, author: who }));
    expect(await contacts()).toMatchObject([{ id: contactId, tags: ['vip'], pushName: 'Ada' }]);
    expect(await told()).toMatchObject([
      ['created', ['vip']],
      ['updated', ['vip']],
    ]);
    expect((await fixture.told()).map(({ data }) => data.firstEver)).toEqual([true]);
  });

  it('are taken off all contacts of the person, and added to the own one', async () => {
    const { caller } = fixture;
    await fixture.service.call(CreateContact, { caller, body: { phone: ada, tags: ['lead', 'common'] } });
    const both = { jid, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello', { chat: both, author: both }));
    await tag({ jid: lid, add: ['lead', 'own'] });
    expect((await tag({ jid: lid, add: ['vip'], remove: ['lead'] })).tags.toSorted()).toEqual(['common', 'own', 'vip']);
    const described = await fixture.service.ask(DescribePerson, { ...fixture.about(), jid });
    expect(described.tags.toSorted()).toEqual(['common', 'own', 'vip']);
    expect(await contacts()).toMatchObject([{ tags: ['own', 'vip'] }, { tags: ['common'] }]);
  });

  it('are no more than a contact can have, and none of a group or of others', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
    await tag({ add: Array.from({ length: 100 }, (_, n) => `tag ${n}`) });
    await expect(tag({ add: ['one more'] })).rejects.toMatchObject({ details: [{ path: 'body.add' }] });
    expect((await tag({ add: ['one more'], remove: ['tag 0'] })).tags).toHaveLength(100);
    await expect(tag({ jid: '120363000000000001@g.us', add: ['vip'] })).rejects.toMatchObject({
      details: [{ path: 'body.jid' }],
    });
    const elsewhere = await tag({ profileId: fixture.otherProfile(), remove: ['tag 1'] });
    expect([elsewhere, (await tag({ organizationId: v7(), remove: ['tag 1'] })).tags]).toEqual([
      { contactId: null, tags: [] },
      [],
    ]);
    expect((await tag()).tags).toContain('tag 1');
  });
});
