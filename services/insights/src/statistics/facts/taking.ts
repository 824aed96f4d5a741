import { jsonText } from '@messaging-gateway/event-sourcing';
import type { Sql } from '@messaging-gateway/service';
import { Decision } from './deciding.ts';
import { ranks, type Fact, type News } from './fact.ts';
import { gather } from './gathering.ts';
import { joinChats } from './joining.ts';
import { readKnown } from './known.ts';
import { timeOfId } from './place.ts';
import { recount } from './recounting.ts';
import { inTurn } from './turns.ts';

/**
 * Takes in what was told of messages, all or nothing, in any order and any number of times: writes facts and changes what is
 * counted from them by what has changed about them.
 *
 * @param now milliseconds since 1970
 */
export async function takeIn(sql: Sql, news: readonly News[], now: number): Promise<void> {
  const { messages, progress, joins } = gather(news);
  const organizations = [...new Set(news.map(({ organizationId }) => organizationId))];
  await sql.transaction(async (inside) => {
    await inTurn(inside, organizations);
    const known = await readKnown(inside, [...messages.values()], [...progress.values()], organizations);
    const decided = new Decision({ messages, progress }, known);
    await inside.query(write, valuesOf(decided, now));
    await joinChats(
      inside,
      joins.filter(({ organizationId }) => !known.erased.has(organizationId)),
    );
    await recount(inside, decided.recounted);
  });
}

const kindOf = 'organization_id uuid, profile_id uuid, direction text, type text, status text, origin text';
const counting = (table: string, column: string, place: string): string => `
  INSERT INTO ${table} AS t (organization_id, ${column}, profile_id, direction, type, status, origin, count)
  SELECT g.organization_id, g.${column}, g.profile_id, g.direction, g.type, g.status, g.origin, g.count
    FROM jsonb_to_recordset(${place}) g(${kindOf}, ${column} timestamptz, count int)
  ON CONFLICT (organization_id, ${column}, profile_id, direction, type, status, origin) DO UPDATE SET count = t.count + excluded.count`;

/** All rows of one batch; what conflicts decides what becomes of a row, as no plan must be made for tables that are empty still. */
const write = `
  WITH facts AS (
    INSERT INTO message_facts (organization_id, place, message_id, profile_id, conversation_id, at, direction, private, type, origin, status)
    SELECT g.organization_id, g.place, g.message_id, g.profile_id, g.conversation_id, g.at, g.direction, g.private, g.type, g.origin, g.status
      FROM jsonb_to_recordset($1) g(organization_id uuid, place uuid, message_id uuid, profile_id uuid, conversation_id uuid,
             at timestamptz, direction text, private boolean, type text, origin text, status text)
    ON CONFLICT (organization_id, place) DO UPDATE SET status = excluded.status
  ), places AS (
    INSERT INTO fact_places (message_id, organization_id, place)
    SELECT g.message_id, g.organization_id, g.place FROM jsonb_to_recordset($1) g(message_id uuid, organization_id uuid, place uuid)
     WHERE g.message_id <> g.place
    ON CONFLICT (message_id) DO NOTHING
  ), ahead AS (
    INSERT INTO progress_ahead AS t (message_id, organization_id, status, rank, at)
    SELECT g.message_id, g.organization_id, g.status, g.rank, $3
      FROM jsonb_to_recordset($2) g(message_id uuid, organization_id uuid, status text, rank smallint)
    ON CONFLICT (message_id) DO UPDATE SET status = excluded.status, rank = excluded.rank WHERE excluded.rank > t.rank
  ), caught AS (
    DELETE FROM progress_ahead WHERE message_id = ANY ($4)
  ), quarters AS (${counting('message_quarters', 'quarter', '$5')}
  ), days AS (${counting('message_days', 'day', '$6')}
  ), flow AS (
    INSERT INTO message_flow AS t (organization_id, quarter, profile_id, incoming, outgoing)
    SELECT g.organization_id, g.quarter, g.profile_id, g.incoming, g.outgoing
      FROM jsonb_to_recordset($7) g(organization_id uuid, quarter timestamptz, profile_id uuid, incoming int, outgoing int)
    ON CONFLICT (organization_id, quarter, profile_id) DO UPDATE SET
      incoming = t.incoming + excluded.incoming, outgoing = t.outgoing + excluded.outgoing
  ), chat_days AS (
    INSERT INTO chat_days (organization_id, day, profile_id, conversation_id)
    SELECT g.organization_id, g.day, g.profile_id, g.conversation_id
      FROM jsonb_to_recordset($8) g(organization_id uuid, day timestamptz, profile_id uuid, conversation_id uuid)
    ON CONFLICT DO NOTHING
  ), chats AS (
    INSERT INTO chats (organization_id, conversation_id, last_incoming, last_answer, asked, last_answer_any, asked_any)
    SELECT g.organization_id, g.conversation_id, g.last_incoming, g.last_answer, g.asked, g.last_answer_any, g.asked_any
      FROM jsonb_to_recordset($9) g(organization_id uuid, conversation_id uuid, last_incoming uuid, last_answer uuid, asked uuid,
             last_answer_any uuid, asked_any uuid)
    ON CONFLICT (organization_id, conversation_id) DO UPDATE SET
      last_incoming = excluded.last_incoming, last_answer = excluded.last_answer, asked = excluded.asked,
      last_answer_any = excluded.last_answer_any, asked_any = excluded.asked_any
  )
  INSERT INTO answers (organization_id, conversation_id, with_automatic, answer, profile_id, answered_at, seconds)
  SELECT g.organization_id, g.conversation_id, g.with_automatic, g.answer, g.profile_id, g.answered_at, g.seconds
    FROM jsonb_to_recordset($10) g(organization_id uuid, conversation_id uuid, with_automatic boolean, answer uuid, profile_id uuid,
           answered_at timestamptz, seconds float8)
  ON CONFLICT (organization_id, conversation_id, with_automatic, answer) DO UPDATE SET seconds = excluded.seconds`;

function valuesOf({ facts, changes, ahead, caughtUp, chats, answers }: Decision, now: number): readonly unknown[] {
  return [
    jsonText(facts.map(rowOf)),
    jsonText(
      ahead.map(({ messageId, organizationId, status }) => ({
        message_id: messageId,
        organization_id: organizationId,
        status,
        rank: ranks[status],
      })),
    ),
    new Date(now),
    caughtUp,
    jsonText(changes.quarters.named('count')),
    jsonText(changes.days.named('count')),
    jsonText(changes.flow.named('incoming', 'outgoing')),
    jsonText([...changes.chatDays.values()]),
    jsonText(
      [...chats].map(([conversationId, { organizationId, chat }]) => ({
        organization_id: organizationId,
        conversation_id: conversationId,
        last_incoming: chat.lastIncoming,
        last_answer: chat.own.lastAnswer,
        asked: chat.own.asked,
        last_answer_any: chat.any.lastAnswer,
        asked_any: chat.any.asked,
      })),
    ),
    jsonText(
      answers.map(({ withAutomatic, answer, asked, fact }) => ({
        organization_id: fact.organizationId,
        conversation_id: fact.conversationId,
        with_automatic: withAutomatic,
        answer,
        profile_id: fact.profileId,
        answered_at: new Date(fact.at).toISOString(),
        seconds: Math.max(0, fact.at - (timeOfId(asked) as number)) / 1000,
      })),
    ),
  ];
}

const rowOf = (fact: Fact): object => ({
  organization_id: fact.organizationId,
  place: fact.place,
  message_id: fact.messageId,
  profile_id: fact.profileId,
  conversation_id: fact.conversationId,
  at: new Date(fact.at).toISOString(),
  direction: fact.direction,
  private: fact.isPrivate,
  type: fact.type,
  origin: fact.origin,
  status: fact.status,
});
