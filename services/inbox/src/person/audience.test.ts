import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ListAudience, type AnswerOf, type BodyOf } from '@messaging-gateway/contracts';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { InboxFixture, ada } from '../inbox.fixture.ts';
import { asOf, contactRow, later, write, type ContactRow } from './people.fixture.ts';

type Item = AnswerOf<typeof ListAudience>['items'][number];
type Recipients = BodyOf<typeof ListAudience>['recipients'];

const ben = '4915100000001';
const lid = '77001@lid';
const everybody = { type: 'all' } as const;
let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const page = (differences: Partial<BodyOf<typeof ListAudience>> = {}) =>
  fixture.service.ask(ListAudience, { ...fixture.about(), recipients: everybody, asOf, limit: 1000, ...differences });

async function audience(recipients: Recipients = everybody, limit = 1000): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const { items: some, next } = await page({ recipients, limit, ...(after !== undefined && { after }) });
    expect(some.length).toBeLessThanOrEqual(limit);
    items.push(...some);
    after = next ?? undefined;
  } while (after !== undefined);
  return items;
}

const own = (differences: Partial<ContactRow>) =>
  contactRow(fixture, { profile_id: fixture.profileId, ...differences });
const common = (differences: Partial<ContactRow>) => contactRow(fixture, differences);

describe('an audience', () => {
  it("is the profile's contacts and those of the whole organization, with phone or LID", async () => {
    const byPhone = own({ phone: ada, name: 'Ada', push_name: 'ada.l', metadata: { city: 'Berlin' }, blocked: true });
    const byLid = own({ lid });
    const rows = [
      byPhone,
      byLid,
      common({ phone: ben }),
      own({ phone: '4915100000002', deleted: true }),
      own({ phone: '4915100000003', created_at: later }),
      common({ phone: '4915100000004', profile_id: fixture.otherProfile() }),
      common({ phone: '4915100000005', organization_id: v7() }),
      own({}),
    ];
    await write(fixture, rows);
    const items = new Map((await audience()).map((item) => [item.jid, item]));
    expect([...items.keys()].toSorted()).toEqual([`${ben}@c.us`, `${ada}@c.us`, lid].toSorted());
    expect(items.get(`${ada}@c.us`)).toEqual({
      contactId: byPhone.id,
      jid: `${ada}@c.us`,
      phone: ada,
      lid: null,
      name: 'Ada',
      pushName: 'ada.l',
      blocked: true,
      metadata: { city: 'Berlin' },
    });
    expect(items.get(lid)).toMatchObject({ contactId: byLid.id, phone: null, lid, blocked: false });
  });

  it("has a person once, as the profile's own contact, with what the organization's says beside it", async () => {
    const mine = own({ phone: ada, lid, push_name: 'ada.l', metadata: { city: 'Bern' } });
    const all = common({ phone: ada, name: 'Ada', metadata: { city: 'Berlin', vip: true }, tags: ['vip'] });
    await write(fixture, [mine, all, own({ lid })]);
    const ofAda = { contactId: mine.id, phone: ada, lid, name: 'Ada', pushName: 'ada.l' };
    expect(await audience()).toMatchObject([{ ...ofAda, metadata: { city: 'Bern', vip: true } }]);
    expect(await audience({ type: 'tags', tags: ['vip'] })).toMatchObject([ofAda]);
    expect(await audience({ type: 'contacts', contactIds: [all.id] })).toMatchObject([ofAda]);
  });

  it('knows a person whom another profile has met under both names', async () => {
    const both = common({ profile_id: fixture.otherProfile(), phone: ada, lid });
    const byLid = own({ lid });
    await write(fixture, [both, byLid, common({ phone: ada, blocked: true })]);
    expect(await audience()).toMatchObject([{ contactId: byLid.id, jid: `${ada}@c.us`, lid, blocked: true }]);
  });

  it('may be those with any of some tags, or those of some ids', async () => {
    const [one, two, three] = [
      own({ phone: '4915100000001', tags: ['a', 'b'] }),
      common({ phone: '4915100000002', tags: ['b'] }),
      own({ phone: '4915100000003', tags: ['c'] }),
    ];
    const foreign = common({ phone: ada, organization_id: v7(), tags: ['a'] });
    const others = common({ phone: ada, profile_id: fixture.otherProfile(), tags: ['a'] });
    await write(fixture, [one, two, three, foreign, others]);
    const ids = async (recipients: Recipients) => (await audience(recipients, 1)).map(({ contactId }) => contactId);
    expect(new Set(await ids({ type: 'tags', tags: ['a', 'b'] }))).toEqual(new Set([one.id, two.id]));
    expect(await ids({ type: 'tags', tags: [] })).toEqual([]);
    const contactIds = [three.id.toUpperCase(), two.id, three.id, v7(), foreign.id, others.id];
    expect(new Set(await ids({ type: 'contacts', contactIds }))).toEqual(new Set([two.id, three.id]));
    expect(await ids({ type: 'contacts', contactIds: [] })).toEqual([]);
  });

  it('does not go on where no page has ended', async () => {
    for (const after of ['', 'own', `all:${v7()}`, "own:'; DROP TABLE contacts"])
      await expect(page({ after })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('has everybody, and nobody twice, whatever contacts there are and however long its pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyContact, { maxLength: 25 }),
        anyChoice,
        fc.integer({ min: 1, max: 7 }),
        async (drawn, wanted, limit) => {
          fixture.renew();
          const other = fixture.otherProfile();
          const rows = drawn.map(({ of, ...rest }) =>
            common({ ...rest, profile_id: of === 'own' ? fixture.profileId : of === 'other' ? other : null }),
          );
          await write(fixture, rows);
          const recipients = wanted(rows);
          const items = await audience(recipients, limit);
          const people = expectedPeople(rows, recipients);
          const found = items.map(({ contactId }) =>
            people.findIndex((person) => person.some(({ id }) => id === contactId)),
          );
          expect(found.toSorted((one, next) => one - next)).toEqual([...people.keys()]);
          items.forEach(({ phone, lid: known, blocked }, index) => {
            const person = people[found[index] as number] ?? [];
            expect(blocked).toBe(person.some((row) => row.blocked));
            expect(phone === null).toBe(person.every((row) => row.phone === null));
            expect(known === null).toBe(person.every((row) => row.lid === null));
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});

const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const anyContact = fc.record({
  of: fc.constantFrom('own', 'own', 'common', 'other'),
  phone: fc.option(fc.constantFrom('4915100000001', '4915100000002', '4915100000003', '4915100000004'), { nil: null }),
  lid: fc.option(fc.constantFrom('1@lid', '2@lid', '3@lid', '4@lid'), { nil: null }),
  tags: fc.subarray(['a', 'b', 'c']),
  blocked: rarely,
  deleted: rarely,
  created_at: rarely.map((is) => (is ? later : asOf)),
});

type Choice = (rows: readonly ContactRow[]) => Recipients;
const anyChoice = fc.oneof(
  fc.constant<Choice>(() => everybody),
  fc.subarray(['a', 'b']).map((tags): Choice => () => ({ type: 'tags', tags })),
  fc.array(fc.nat(30), { maxLength: 15 }).map((places): Choice => (rows) => ({
    type: 'contacts',
    contactIds: places.flatMap((place) => rows[place]?.id ?? []),
  })),
);

/** The contacts of each person who is to be listed, found by looking at everything. */
function expectedPeople(rows: readonly ContactRow[], recipients: Recipients): ContactRow[][] {
  const there = rows.filter(({ deleted }) => !deleted);
  const isChosen = ({ id, tags }: ContactRow): boolean => {
    if (recipients.type === 'all') return true;
    return recipients.type === 'tags'
      ? tags.some((tag) => recipients.tags.includes(tag))
      : recipients.contactIds.includes(id);
  };
  const groups: { names: Set<string>; rows: ContactRow[] }[] = [];
  for (const row of there) {
    const names = new Set([row.phone, row.lid].filter((name) => name !== null));
    const same = groups.filter((group) => [...names].some((name) => group.names.has(name)));
    for (const group of same) groups.splice(groups.indexOf(group), 1);
    groups.push({
      names: new Set([...names, ...same.flatMap((group) => [...group.names])]),
      rows: [...same.flatMap((group) => group.rows), row],
    });
  }
  return groups
    .filter(({ names }) => names.size > 0)
    .map((group) => group.rows.filter((row) => isVisible(row)))
    .filter((person) => person.some(isChosen));
}

const isVisible = ({ profile_id, created_at }: ContactRow): boolean =>
  (profile_id === null || profile_id === fixture.profileId) && created_at <= asOf;
