import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  GetConversation,
  ListMessagesOfConversation,
  MessageAccepted,
  MessageStatusChanged,
  type Page,
} from '@messaging-gateway/contracts';
import { v5, v7 } from 'uuid';
import { accepted, arrived, edited, networkIdOf, outgoing, reacted, status, type Accepted } from '../facts.fixture.ts';
import { InboxFixture, ada, textsOf, type Chat, type Message } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

/** A namespace; ids made of it tell no time. */
const namespace = '2b1a7c52-90f3-5d0e-8c3f-6d4f0c1e7a55';
const bob = '4915100000002';

async function went(text: string, messageId: string, to = ada, origin: Accepted['origin'] = 'bulk'): Promise<Accepted> {
  const networkMessageId = networkIdOf(messageId);
  const fact = { ...accepted(fixture.profileId, `${to}@c.us`, text), messageId, networkMessageId, origin };
  await fixture.service.emit(MessageAccepted, fact, fixture.about());
  return fact;
}
const came = (text: string): Promise<void> => fixture.arrive(arrived(fixture.profileId, ada, text));
const timeless = (name: string): string => v5(`${fixture.profileId} ${name}`, namespace);
/** Ends with ff…: later than all that tell a time. */
const latest = (): string => timeless(String(firstNumber((n) => timeless(String(n)).startsWith('f'))));
const firstNumber = (is: (n: number) => boolean): number => {
  for (let n = 0; ; n++) if (is(n)) return n;
};

const conversation = async (conversationId: string): Promise<Chat> =>
  (await fixture.service.call(GetConversation, { caller: fixture.caller, params: { id: conversationId } }))
    .body as Chat;
const ofConversation = async (id: string, query: object = {}): Promise<Page<Message>> =>
  (
    await fixture.service.call(ListMessagesOfConversation, {
      caller: fixture.caller,
      params: { id },
      query: { ...query },
    })
  ).body as never;
const order = async (): Promise<string[]> => (await fixture.conversations()).items.map(({ jid }) => jid);
const parts = async (): Promise<string[]> => {
  const rows = await fixture.service.sql.query<{ part: string }>(
    'SELECT tableoid::regclass::text AS part FROM messages WHERE profile_id = $1',
    [fixture.profileId],
  );
  return rows.map(({ part }) => part.replace(/^.*\.|_\d{4}_\d\d$/g, ''));
};

describe('a message whose id tells another time than its own', () => {
  it('stands where it was sent, and what comes later is newer', async () => {
    await came('first');
    const bulk = await went('second', latest());
    await came('third');
    const scheduled = await went('fourth', v7({ msecs: Date.now() - 86_400_000 }), ada, 'schedule');
    expect(await conversation(bulk.conversationId)).toMatchObject({ lastMessage: { id: scheduled.messageId } });
    await came('fifth');
    await went('to Bob', latest().replace('f', 'e'), bob);
    await came('sixth');

    expect(textsOf(await fixture.ofProfile())).toEqual([
      'sixth',
      'to Bob',
      'fifth',
      'fourth',
      'third',
      'second',
      'first',
    ]);
    expect(textsOf(await ofConversation(bulk.conversationId))).toEqual([
      'sixth',
      'fifth',
      'fourth',
      'third',
      'second',
      'first',
    ]);
    expect(await conversation(bulk.conversationId)).toMatchObject({ lastMessage: { content: { text: 'sixth' } } });
    expect(await order()).toEqual([`${ada}@c.us`, `${bob}@c.us`]);
    expect(new Set(await parts())).toEqual(new Set(['messages']));
  });

  it('is paged in that order', async () => {
    for (const text of ['1', '3', '5']) {
      await came(text);
      await went(String(Number(text) + 1), timeless(text));
    }
    const seen: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Page<Message> = await fixture.ofProfile({ limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...textsOf(page));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(textsOf(await fixture.ofProfile({ search: '4' }))).toEqual(['4']);
  });

  it('is found by its id, with all that becomes of it', async () => {
    const bulk = await went('Hello', latest());
    const { messageId } = bulk;
    await fixture.service.emit(MessageStatusChanged, status(bulk, 'delivered'), fixture.about());
    await fixture.change(outgoing(bulk.networkMessageId), reacted('👍'));
    await fixture.change(outgoing(bulk.networkMessageId), edited('Hello!'), { fromMe: true });
    const expected = { id: messageId, status: 'delivered', content: { text: 'Hello!' }, reactions: [{ emoji: '👍' }] };
    expect(await fixture.message(messageId)).toMatchObject(expected);
    expect((await fixture.ofProfile()).items).toMatchObject([expected]);
    const [row] = await fixture.service.sql.query<{ id: string }>('SELECT id FROM messages WHERE message_id = $1', [
      messageId,
    ]);
    await expect(fixture.message(String(row?.id))).rejects.toMatchObject({ code: 'NOT_FOUND' });

    const shown = await fixture.ofProfile();
    await fixture.service.rebuildViews();
    expect(await fixture.ofProfile()).toEqual(shown);
  });
});

describe('a message that an earlier version stored under an id that tells no time', () => {
  /** As it stood in the tables of that version. */
  async function asBefore(): Promise<void> {
    const { sql } = fixture.service;
    await sql.query(`WITH places AS (DELETE FROM message_places RETURNING *)
      UPDATE messages SET id = places.message_id, message_id = NULL FROM places WHERE messages.id = places.place`);
    await sql.query(`UPDATE conversations c SET last_message_id = (
      SELECT m.id FROM messages m WHERE m.conversation_id = c.id ORDER BY m.id DESC LIMIT 1)
      WHERE EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id)`);
    await sql.query('DELETE FROM messages_put_right');
  }
  const isPutRight = async (): Promise<boolean> =>
    (await fixture.service.sql.query(`SELECT 1 FROM conversations WHERE substr(last_message_id::text, 15, 1) <> '7'`))
      .length === 0;

  it('is put right at the next start', async () => {
    await came('first');
    const bulk = await went('second', latest());
    const small = await went('third', timeless(String(firstNumber((n) => timeless(String(n)).startsWith('0')))));
    await came('fourth');
    await went('to Bob', latest().replace('f', 'e'), bob);
    await came('fifth');
    await asBefore();
    expect(textsOf(await fixture.ofProfile())[0]).toBe('second');
    expect(await parts()).toContain('messages_rest');

    await fixture.service.restart();
    for (let looks = 0; looks < 200 && !(await isPutRight()); looks++)
      await new Promise((look) => setTimeout(look, 25));
    expect(textsOf(await fixture.ofProfile())).toEqual(['fifth', 'to Bob', 'fourth', 'third', 'second', 'first']);
    expect(await conversation(bulk.conversationId)).toMatchObject({ lastMessage: { content: { text: 'fifth' } } });
    expect(await order()).toEqual([`${ada}@c.us`, `${bob}@c.us`]);
    expect(new Set(await parts())).toEqual(new Set(['messages']));
    for (const one of [bulk, small]) {
      await fixture.service.emit(MessageStatusChanged, status(one, 'read'), fixture.about());
      expect(await fixture.message(one.messageId)).toMatchObject({ id: one.messageId, status: 'read' });
    }
    await came('sixth');
    expect(await conversation(bulk.conversationId)).toMatchObject({ lastMessage: { content: { text: 'sixth' } } });
  });
});
