import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Sql } from '@messaging-gateway/service';
import { listContacts } from './contact/listing.ts';
import { listConversations, unreadCount } from './conversation/listing.ts';
import { InboxFixture } from './inbox.fixture.ts';
import { listConversationMessages } from './conversation/messages.ts';
import { getMessage, listProfileMessages } from './message/reading.ts';
import { listAudience } from './person/audience.ts';
import type { ConversationTools } from './conversation/tools.ts';
import type { MessageTools } from './message/tools.ts';

type InboxTools = ConversationTools & MessageTools;

/** A node of a plan as `EXPLAIN (ANALYZE, FORMAT JSON)` tells it. */
interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
}

const conversations = 400;
const messages = 40_000;
const contacts = 2000;
const aliases = 5000;
const page = 50;

let fixture: InboxFixture;
let tools: InboxTools;
/** Rows of each table that were looked at since the last question. */
let looked: Map<string, number>;

beforeAll(async () => {
  fixture = await InboxFixture.start();
  fixture.renew();
  const { sql, clock } = fixture.service;
  await fill(sql, fixture.caller.organizationId, fixture.profileId);
  const ask: InboxTools['ask'] = (contract, body) => fixture.service.ask(contract, body);
  const used: Partial<InboxTools> = { sql: watched(sql), clock, ask };
  tools = used as InboxTools;
});
afterAll(() => fixture.service.stop());

/** Half of all messages lie in one conversation; every 500th holds a rare word. Another profile has as many. */
async function fill(sql: Sql, organizationId: string, profileId: string): Promise<void> {
  const stranger = '0198c0de-0000-7000-8000-00000000000f';
  for (const profile of [profileId, stranger]) {
    await sql.query(
      `INSERT INTO messages (id, organization_id, profile_id, conversation_id, network_message_id, direction, "from", type, content,
                             status, "timestamp", created_at)
       SELECT (lpad(to_hex(1790000000000 + n), 12, '0') || '7000' || left(md5($2::uuid::text || n), 16))::uuid, $1::uuid, $2::uuid,
              md5($2::uuid::text || CASE WHEN n % 2 = 0 THEN 0 ELSE n % ${conversations} END)::uuid, 'N' || n, 'incoming', 'a@c.us', 'text',
              jsonb_build_object('text', 'some words of everyday ' || CASE WHEN n % 500 = 0 THEN 'zanzibar' ELSE '' END),
              'received', now(), now()
         FROM generate_series(1, ${messages}) n`,
      [profile === stranger ? stranger : organizationId, profile],
    );
    await sql.query(
      `INSERT INTO conversations (id, organization_id, profile_id, jid, unread_count, last_message_id, created_at, pinned, archived)
       SELECT m.conversation_id, $1::uuid, $2::uuid, 'c' || row_number() OVER () || '@c.us', 1, max(m.id::text)::uuid, now(),
              nullif(row_number() OVER () % 50 = 0, false), nullif(row_number() OVER () % 2 = 0, false)
         FROM messages m WHERE m.profile_id = $2 GROUP BY m.conversation_id`,
      [profile === stranger ? stranger : organizationId, profile],
    );
  }
  await sql.query(
    `INSERT INTO contacts (id, organization_id, profile_id, phone, tags, metadata, blocked, deleted, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2, '49151' || n, '{}', '{}', false, false, now() - n * interval '1 second', now()
       FROM generate_series(1, ${contacts}) n`,
    [organizationId, profileId],
  );
  await sql.query(
    `INSERT INTO conversation_aliases (id, conversation_id)
     SELECT gen_random_uuid(), gen_random_uuid() FROM generate_series(1, ${aliases})`,
  );
  for (const table of ['messages', 'conversations', 'conversation_aliases', 'message_responses', 'contacts'])
    await sql.query(`VACUUM ANALYZE ${table}`);
}

function watched(sql: Sql): Sql {
  return {
    ...sql,
    query: async (text, values) => {
      const [row] = await sql.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      if (row !== undefined) count(row['QUERY PLAN'][0].Plan);
      return sql.query(text, values);
    },
  };
}

function count(node: Node): void {
  const { 'Relation Name': relation, 'Actual Loops': loops } = node;
  if (relation !== undefined) {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    const table = relation.replace(/^messages_(?:rest|\d.*)$/, 'messages');
    looked.set(table, (looked.get(table) ?? 0) + (node['Actual Rows'] + removed) * loops);
  }
  node.Plans?.forEach(count);
}

/** The answer of a question, and how many rows of a table it looked at. */
async function asked<T>(table: string, question: () => Promise<T>): Promise<{ answer: T; rows: number }> {
  looked = new Map();
  const answer = await question();
  return { answer, rows: looked.get(table) ?? 0 };
}

const input = (params: Readonly<Record<string, string>>, query: object = {}, caller = fixture.caller) =>
  ({ params, query, caller }) as never;
const ofProfile = (query: object = {}) => listProfileMessages(tools, input({ profileId: fixture.profileId }, query));
const largest = async (): Promise<string> =>
  (
    await fixture.service.sql.query<{ id: string }>(
      'SELECT conversation_id AS id FROM messages WHERE profile_id = $1 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
      [fixture.profileId],
    )
  )[0]?.id as string;

describe('with many messages', () => {
  it('the largest page of a profile is full, and the next one goes on behind it', async () => {
    const { answer: first } = await asked('messages', () => ofProfile({ limit: 200 }));
    const { answer: second } = await asked('messages', () => ofProfile({ limit: 200, cursor: first.nextCursor }));
    const numbers = [...first.items, ...second.items].map(({ networkMessageId }) => networkMessageId);
    expect(numbers).toEqual(Array.from({ length: 400 }, (_, n) => `N${messages - n}`));
  });

  it('a page of a profile reads no more than the page, wherever it begins', async () => {
    const { answer, rows } = await asked('messages', () => ofProfile());
    expect(answer.items).toHaveLength(page);
    expect(rows).toBeLessThan(3 * page);
    const next = await asked('messages', () => ofProfile({ cursor: answer.nextCursor }));
    expect(next.answer.items[0]?.networkMessageId).toBe(`N${messages - page}`);
    expect(next.rows).toBeLessThan(3 * page);
  });

  it('so does a page of the profile with the smallest and of that with the largest id', async () => {
    const profiles = await fixture.service.sql.query<{ id: string; organization: string }>(
      'SELECT DISTINCT profile_id AS id, organization_id AS organization FROM messages ORDER BY 1',
    );
    expect(profiles).toHaveLength(2);
    for (const { id: profileId, organization: organizationId } of profiles) {
      const asking = input({ profileId }, {}, { ...fixture.caller, organizationId });
      const { answer, rows } = await asked('messages', () => listProfileMessages(tools, asking));
      expect(answer.items).toHaveLength(page);
      expect(rows).toBeLessThan(3 * page);
    }
  });

  it('so does a page of a large conversation, and one message', async () => {
    const id = await largest();
    const { answer, rows } = await asked('messages', () => listConversationMessages(tools, id, input({ id })));
    expect(answer.items).toHaveLength(page);
    expect(rows).toBeLessThan(3 * page);
    const one = await asked('messages', () => getMessage(tools, input({ id: answer.items[0]?.id as string })));
    expect(one.rows).toBeLessThan(5);
  });

  it('the list of conversations reads one message for each that it shows', async () => {
    for (const query of [{}, { profileId: fixture.profileId }, { archived: true }, { unread: true }]) {
      const { answer, rows } = await asked('messages', () => listConversations(tools, input({}, query)));
      expect(answer.items).toHaveLength(page);
      expect(rows).toBeLessThan(2 * page);
    }
    const { answer } = await asked('messages', () => listConversations(tools, input({}, { limit: 3 })));
    expect(answer.items.map(({ pinned }) => pinned)).toEqual([true, true, true]);
  });

  it('the list of conversations reads no more of them than the page, and counts none of the others', async () => {
    for (const query of [{ limit: 10 }, { limit: 10, profileId: fixture.profileId }]) {
      const { answer, rows } = await asked('conversations', () => listConversations(tools, input({}, query)));
      expect(answer.total).toBe(conversations / 2 + 1);
      expect(rows).toBeLessThan(30);
      const next = await asked('conversations', () =>
        listConversations(tools, input({}, { ...query, cursor: answer.nextCursor })),
      );
      expect(next.answer.items).toHaveLength(10);
      expect(next.rows).toBeLessThan(30);
    }
  });

  it('the count of unread messages reads no messages, and no conversations', async () => {
    for (const table of ['messages', 'conversations']) {
      const { answer, rows } = await asked(table, () => unreadCount(tools, input({})));
      expect(answer.count).toBe(conversations / 2 + 1);
      expect(rows).toBe(0);
    }
  });

  it('a search reads what it finds, and nothing of others', async () => {
    const { answer, rows } = await asked('messages', () => ofProfile({ search: 'zanzi' }));
    expect(answer.items).toHaveLength(page);
    expect(rows).toBeLessThan(messages / 500 + 3 * page + 100);
    const none = await asked('messages', () => ofProfile({ search: 'timbuktu everyday' }));
    expect(none.answer.items).toEqual([]);
    expect(none.rows).toBeLessThanOrEqual(100);
  });

  it('a search for a usual word reads little more than the page, in a large conversation too', async () => {
    const id = await largest();
    const { answer, rows } = await asked('messages', () =>
      listConversationMessages(tools, id, input({ id }, { search: 'everyday' })),
    );
    expect(answer.items).toHaveLength(page);
    expect(rows).toBeLessThan(100 + 2 * page);
    const next = await asked('messages', () =>
      listConversationMessages(tools, id, input({ id }, { search: 'everyday', cursor: answer.nextCursor })),
    );
    expect(next.answer.items[0]?.networkMessageId).toBe(`N${messages - 2 * page}`);
    expect(next.rows).toBeLessThan(100 + 2 * page);
  });

  it('a search goes on by the index where the newest messages end', async () => {
    const id = await largest();
    const first = await listConversationMessages(tools, id, input({ id }, { search: 'zanzibar' }));
    const second = await listConversationMessages(
      tools,
      id,
      input({ id }, { search: 'zanzibar', cursor: first.nextCursor }),
    );
    const numbers = [...first.items, ...second.items].map(({ networkMessageId }) => Number(networkMessageId?.slice(1)));
    expect(numbers).toEqual(Array.from({ length: messages / 500 }, (_, at) => messages - 500 * at));
    expect(second.nextCursor).toBeNull();
  });

  it('a page of messages reads one alias for each, whose conversation has become one or not', async () => {
    const { answer, rows } = await asked('conversation_aliases', () => ofProfile());
    expect(answer.items).toHaveLength(page);
    expect(rows).toBeLessThan(2 * page);
  });

  it('a page of contacts counts none of the others', async () => {
    const { answer, rows } = await asked('contacts', () => listContacts(tools, input({}, { limit: 10 })));
    expect([answer.items.length, answer.total]).toEqual([10, contacts]);
    expect(rows).toBeLessThan(30);
  });

  it('a page of an audience reads no more than its contacts and their people', async () => {
    const audience = {
      ...fixture.about(),
      recipients: { type: 'all' as const },
      asOf: new Date().toISOString(),
      limit: page,
    };
    const first = await asked('contacts', () => listAudience(tools, audience));
    const second = await asked('contacts', () => listAudience(tools, { ...audience, after: first.answer.next ?? '' }));
    for (const { answer, rows } of [first, second]) {
      expect(answer.items).toHaveLength(page);
      expect(rows).toBeLessThan(6 * page);
    }
  });
});
