import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConversationJoined, EraseWebhooksData, ReadWebhooksData } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { startChatwoot } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { BridgeWorld } from './bridge-world.fixture.ts';

/** Two replicas, which are told events and asked by turns. */
let world: BridgeWorld;
beforeAll(async () => {
  world = await BridgeWorld.start(2);
});
afterAll(() => world.stop());
beforeEach(() => world.begin());

const tables = ['lanes', 'outbox', 'answers', 'contacts', 'messages', 'bridges'].map((name) => `chatwoot_${name}`);
const rowsOf = async (organizationId: string): Promise<unknown[]> =>
  (
    await Promise.all(
      tables.map((table) =>
        world.service.sql.query(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [organizationId]),
      ),
    )
  ).flat();
const contactsLike = (part: string) =>
  world.chatwoot.contacts.filter(({ phone_number, identifier }) =>
    [phone_number, identifier].some((key) => key?.includes(part)),
  );

describe('agents', () => {
  const begun = async () => {
    const ada = world.chat();
    await ada.receive('Hello');
    await world.rested();
    return { ...ada, agent: (text: string) => world.chatwoot.agentWrites(ada.remote(), text) };
  };

  it('are heard once and in their order, however often and in which order Chatwoot tells, at whatever replica', async () => {
    const ada = await begun();
    const words = Array.from({ length: 12 }, (_, at) => `Answer ${at}`);
    const events = words.map((text) => ada.agent(text));
    world.refusal = new Refused('SERVICE_UNAVAILABLE', 'The lanes are away.');
    const shuffled = [...events, ...events].toSorted(
      (one, other) => JSON.stringify(one).length - JSON.stringify(other).length,
    );
    await Promise.all([...shuffled.toReversed(), ...events].map((event) => world.take(event)));
    world.refusal = undefined;
    await world.passUntil(() => world.accepted.length === words.length);
    expect(world.texts).toEqual(words);
    await Promise.all(events.map((event) => world.take(event)));
    await world.take(ada.agent('The last'));
    await world.passUntil(() => world.accepted.length > words.length);
    expect(world.texts).toEqual([...words, 'The last']);
  });

  /** At both replicas. */
  const twice = (event: object) => Promise.all([world.take(event), world.take(event)]);

  it('go out in their order when what was written first is kept last', async () => {
    const ada = await begun();
    const [first, second] = [ada.agent('First'), ada.agent('Second')];
    await twice(second);
    let late: Promise<unknown> | undefined;
    await world.service.sql.transaction(async (sql) => {
      const { organizationId } = world.caller;
      for (const table of ['chatwoot_bridges', 'chatwoot_lanes'])
        await sql.query(`SELECT FROM ${table} WHERE organization_id = $1 FOR UPDATE`, [organizationId]);
      late = twice(first);
      let steps = 0;
      await world.passUntil(() => (steps += 1) > 30, 100);
      expect(world.accepted).toEqual([]);
    });
    await late;
    await world.passUntil(() => world.accepted.length === 2, 100);
    expect(world.texts).toEqual(['First', 'Second']);
  });

  it('go out in their order when what was written first stood before the door of a process that stood still', async () => {
    const ada = await begun();
    const [first, second] = [ada.agent('First'), ada.agent('Second')];
    await twice(second);
    world.service.clock.advance(2_000);
    // As a process does that goes on: what is due comes before what has arrived.
    await delay(20);
    await twice(first);
    await world.passUntil(() => world.accepted.length === 2, 100);
    expect(world.texts).toEqual(['First', 'Second']);
  });

  it('do not wait for what Chatwoot refuses', async () => {
    const ada = await begun();
    world.chatwoot.behave(422);
    await ada.receive('Which is refused');
    await world.passUntil(async () => (await world.status()).lastError === 'HTTP_422');
    world.service.clock.advance(3_600_000);
    await world.take(ada.agent('All the same'));
    await world.passUntil(() => world.accepted.length > 0, 100);
    expect(world.texts).toEqual(['All the same']);
    expect((await world.status()).backlog).toBe(1);
    world.chatwoot.behave('normal');
    await world.rested();
    expect(ada.seen().map(({ content }) => content)).toEqual(['Hello', 'Which is refused']);
  });
});

describe('a Chatwoot that hangs for an hour', () => {
  it('holds up nobody else, and has everything once and in order afterwards', async () => {
    const people = Array.from({ length: 12 }, () => world.chat());
    const hanging = world.caller;
    const another = await startChatwoot();
    await world.begin();
    await world.set({ url: another.url, apiToken: another.apiToken });
    const grace = world.chat();
    world.chatwoot.behave('hanging');
    const words = ['One', 'Two', 'Three'];
    for (const word of words) for (const person of people) await person.receive(word);
    await grace.receive('Hello');
    await world.rested();
    expect(another.messages.map(({ content }) => content)).toEqual(['Hello']);
    await world.passUntil(async () => (await world.status(hanging)).lastError === 'TIMEOUT', 2_000);
    world.service.clock.advance(3_600_000);
    await grace.receive('Still here');
    await world.rested();
    world.chatwoot.behave('normal');
    await world.rested(hanging);
    for (const person of people) expect(person.seen().map(({ content }) => content)).toEqual(words);
    expect(another.messages.map(({ content }) => content)).toEqual(['Hello', 'Still here']);
    await another.stop();
  });
});

describe('somebody who is known by LID', () => {
  const number = 4_915_199_000_000;
  const someone = (place: number) => ({ phone: String(number + place), lid: `${place}77000111@lid` });

  it('is one contact, which has the phone as soon as anybody knows it, and one chat as soon as the inbox has joined them', async () => {
    const { phone, lid } = someone(1);
    const byLid = world.chat(lid);
    await byLid.receive('By LID');
    await world.rested();
    expect(contactsLike(lid)).toMatchObject([{ identifier: lid, phone_number: undefined }]);
    world.people.set(lid, { phone, lid }).set(`${phone}@c.us`, { phone, lid });
    const byPhone = world.chat(`${phone}@c.us`);
    await byPhone.receive('By phone');
    await world.rested();
    expect([...new Set([...contactsLike(lid), ...contactsLike(phone)])]).toMatchObject([
      { identifier: lid, phone_number: `+${phone}` },
    ]);
    const joined = { conversationId: byPhone.conversationId, profileId: world.profileId, into: byLid.conversationId };
    await world.service.emit(ConversationJoined, joined, world.about);
    await byPhone.receive('In the chat that stayed');
    await world.rested();
    expect(byLid.seen().map(({ content }) => content)).toEqual(['By LID', 'In the chat that stayed']);
    expect(byPhone.seen().map(({ content }) => content)).toEqual(['By phone']);
    await world.take(world.chatwoot.agentWrites(byPhone.remote(), 'In the old conversation'));
    await world.passUntil(() => world.accepted.length > 0, 100);
    expect(world.accepted).toMatchObject([{ to: lid, content: { text: 'In the old conversation' } }]);
  });

  it('becomes one contact when they were two', async () => {
    const { phone, lid } = someone(2);
    const [byPhone, byLid] = [world.chat(`${phone}@c.us`), world.chat(lid)];
    await byPhone.receive('By phone');
    await byLid.receive('By LID');
    await world.rested();
    expect(contactsLike(lid)).toHaveLength(1);
    expect(contactsLike(phone)).toHaveLength(1);
    world.people.set(lid, { phone, lid }).set(`${phone}@c.us`, { phone, lid });
    world.chatwoot.next('lost', 503, 'lost', 503);
    const joined = { conversationId: byLid.conversationId, profileId: world.profileId, into: byPhone.conversationId };
    await world.service.emit(ConversationJoined, joined, world.about);
    await byLid.receive('Still told by LID');
    await world.rested();
    const contacts = [...new Set([...contactsLike(lid), ...contactsLike(phone)])];
    expect(contacts).toMatchObject([{ phone_number: `+${phone}` }]);
    const mine = [byPhone.remote(), byLid.remote()];
    const theirs = world.chatwoot.conversations.filter(({ id }) => mine.includes(id));
    expect(new Set(theirs.map(({ contact }) => contact))).toEqual(new Set([contacts[0]?.id]));
    expect(byPhone.seen().map(({ content }) => content)).toEqual(['By phone', 'Still told by LID']);
  });

  it('keeps the conversation of the chat that is no more, where the other one has none', async () => {
    const { phone, lid } = someone(3);
    const [byPhone, byLid] = [world.chat(`${phone}@c.us`), world.chat(lid)];
    await byLid.receive('By LID');
    world.chatwoot.behave(503);
    await byLid.receive('Which waits');
    world.people.set(lid, { phone, lid }).set(`${phone}@c.us`, { phone, lid });
    const joined = { conversationId: byLid.conversationId, profileId: world.profileId, into: byPhone.conversationId };
    await world.service.emit(ConversationJoined, joined, world.about);
    await byPhone.receive('By phone');
    world.chatwoot.behave('normal');
    await world.rested();
    const all = [...byLid.seen(), ...byPhone.seen()].map(({ content }) => content);
    expect(all).toEqual(expect.arrayContaining(['By LID', 'Which waits', 'By phone']));
    expect(all).toHaveLength(3);
    expect([...new Set([...contactsLike(lid), ...contactsLike(phone)])]).toHaveLength(1);
  });
});

describe('what is held of an organization', () => {
  it('is in its export', async () => {
    const ada = world.chat();
    await ada.receive('Hello');
    await world.rested();
    const items: unknown[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const { organizationId } = world.caller;
      const whose = { organizationId, userId: v7(), wholeOrganization: true };
      const page = await world.service.ask(ReadWebhooksData, { ...whose, ...(cursor && { cursor }) });
      items.push(...page.items);
      cursor = page.nextCursor ?? undefined;
      more = cursor !== undefined;
    }
    expect(items).toContainEqual({
      section: 'chatwootChats',
      item: {
        conversationId: ada.conversationId,
        profileId: world.profileId,
        chat: ada.jid,
        contact: expect.any(Number),
        conversation: ada.remote(),
      },
    });
  });

  it('goes with it, also what is on its way to Chatwoot in that moment', async () => {
    const [ada, grace] = [world.chat(), world.chat()];
    const { organizationId } = world.caller;
    await ada.receive('Hello');
    await world.rested();
    world.chatwoot.behave('slow');
    const before = world.chatwoot.asked.length;
    await ada.receive('On its way');
    await grace.receive('Whose contact is being made');
    await world.passUntil(() => world.chatwoot.asked.length >= before + 2, 100);
    const whose = { organizationId, userId: v7(), wholeOrganization: true };
    await world.service.ask(EraseWebhooksData, whose);
    world.chatwoot.release();
    await world.passUntil(() => ada.seen().length === 2, 100);
    await ada.receive('Told too late');
    await world.take(world.chatwoot.agentWrites(ada.remote(), 'Too late as well')).catch(() => undefined);
    world.service.clock.advance(10_000);
    await world.passUntil(() => world.chatwoot.asked.length >= before + 3, 100);
    expect(await rowsOf(organizationId)).toEqual([]);
    expect(world.accepted).toEqual([]);
  });
});

describe('two replicas', () => {
  it('post everything once and in order, over faults and when one of them goes', async () => {
    const people = Array.from({ length: 10 }, () => world.chat());
    const words = Array.from({ length: 8 }, (_, at) => `Word ${at}`);
    for (const [place, word] of words.entries()) {
      world.chatwoot.next('lost', 503, 'lost', 404, 422);
      await Promise.all(people.map((person) => person.receive(word)));
      if (place === 4) await world.service.stopReplica(1);
    }
    await world.rested();
    for (const person of people) expect(person.seen().map(({ content }) => content)).toEqual(words);
  });
});
