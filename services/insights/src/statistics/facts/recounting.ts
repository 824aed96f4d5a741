import type { Sql } from '@messaging-gateway/service';
import { ways } from './chat.ts';

/** A private chat, and between which of its places something has changed. */
export interface Changed {
  readonly organizationId: string;
  readonly conversationId: string;
  /** Absent: everything is counted again. */
  readonly between?: readonly [first: string, last: string];
}

const [first, last] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
const chatOf = 'organization_id uuid, conversation_id uuid';
const answers = `f.direction = 'outgoing' AND f.origin = ANY ($2) AND f.status <> 'failed'`;
const ofChat = (chat: string): string =>
  `f.organization_id = ${chat}.organization_id AND f.conversation_id = ${chat}.conversation_id AND f.private`;

/** The answer before what has changed, and the one after it: beyond them nothing changes. */
const bounds = `
  SELECT g.organization_id, g.conversation_id,
         (SELECT f.place FROM message_facts f WHERE ${ofChat('g')} AND ${answers} AND f.place < g.first
           ORDER BY f.place DESC LIMIT 1) AS before,
         (SELECT f.place FROM message_facts f WHERE ${ofChat('g')} AND ${answers} AND f.place > g.last
           ORDER BY f.place LIMIT 1) AS behind
    FROM jsonb_to_recordset($1) g(${chatOf}, first uuid, last uuid)`;

const forget = `
  DELETE FROM answers r USING jsonb_to_recordset($1) b(${chatOf}, before uuid, behind uuid)
   WHERE r.organization_id = b.organization_id AND r.conversation_id = b.conversation_id AND r.with_automatic = $2
     AND r.answer > coalesce(b.before, '${first}') AND r.answer <= coalesce(b.behind, '${last}')`;

/** A stretch ends with an answer; the first message in it is what that answers. The last stretch of a chat may have none. */
const count = `
  WITH said AS (
    SELECT b.organization_id, b.conversation_id, b.before, b.behind, f.profile_id, f.place, f.at, f.direction, ${answers} AS is_answer
      FROM jsonb_to_recordset($1) b(${chatOf}, before uuid, behind uuid)
     CROSS JOIN LATERAL (
            SELECT f.profile_id, f.place, f.at, f.direction, f.origin, f.status FROM message_facts f
             WHERE ${ofChat('b')} AND f.place > coalesce(b.before, '${first}') AND f.place <= coalesce(b.behind, '${last}')
          ) f
  ), stretches AS (
    SELECT organization_id, conversation_id, before, behind, profile_id, place, at, direction, is_answer, count(*) FILTER (WHERE is_answer) OVER (
             PARTITION BY organization_id, conversation_id ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
           ) AS stretch
      FROM said
  ), turns AS (
    SELECT organization_id, conversation_id, before, behind, stretch, max(place::text) FILTER (WHERE direction = 'incoming') AS incoming,
           min(place::text) FILTER (WHERE direction = 'incoming') AS asked, min(at) FILTER (WHERE direction = 'incoming') AS asked_at,
           max(place::text) FILTER (WHERE is_answer) AS answer, max(at) FILTER (WHERE is_answer) AS answered_at,
           (array_agg(profile_id))[1] AS profile_id
      FROM stretches GROUP BY organization_id, conversation_id, before, behind, stretch
  ), written AS (
    INSERT INTO answers (organization_id, conversation_id, with_automatic, answer, profile_id, answered_at, seconds)
    SELECT organization_id, conversation_id, $3, answer::uuid, profile_id, answered_at, greatest(0, extract(epoch FROM answered_at - asked_at))
      FROM turns WHERE answer IS NOT NULL AND asked IS NOT NULL
  )
  SELECT organization_id, conversation_id, max(incoming) AS incoming, coalesce(max(answer), before::text) AS answer,
         max(asked) FILTER (WHERE answer IS NULL) AS asked
    FROM turns WHERE behind IS NULL GROUP BY organization_id, conversation_id, before`;

interface Bound {
  readonly organization_id: string;
  readonly conversation_id: string;
  readonly before: string | null;
  readonly behind: string | null;
}

interface Standing {
  readonly organization_id: string;
  readonly conversation_id: string;
  readonly incoming: string | null;
  readonly answer: string | null;
  readonly asked: string | null;
}

/** Answers of chats made anew from the facts, around what has changed. Within the turn of their organizations. */
export async function recount(sql: Sql, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return;
  const given = changed.map(({ organizationId, conversationId, between = [first, last] }) => ({
    organization_id: organizationId,
    conversation_id: conversationId,
    first: between[0],
    last: between[1],
  }));
  for (const { withAutomatic, name, origins } of ways) {
    const found = await sql.query<Bound>(bounds, [JSON.stringify(given), origins]);
    const around = JSON.stringify(found);
    await sql.query(forget, [around, withAutomatic]);
    const standing = await sql.query<Standing>(count, [around, origins, withAutomatic]);
    await sql.query(stand[name], [JSON.stringify(standing)]);
  }
}

/** Where chats stand, by one way of counting answers. */
const standOf = (answer: string, asked: string): string => `
  INSERT INTO chats (organization_id, conversation_id, last_incoming, ${answer}, ${asked})
  SELECT g.organization_id, g.conversation_id, g.incoming, g.answer, g.asked
    FROM jsonb_to_recordset($1) g(${chatOf}, incoming uuid, answer uuid, asked uuid)
  ON CONFLICT (organization_id, conversation_id) DO UPDATE SET
    last_incoming = greatest(chats.last_incoming, excluded.last_incoming),
    ${answer} = excluded.${answer}, ${asked} = excluded.${asked}`;
const stand = { own: standOf('last_answer', 'asked'), any: standOf('last_answer_any', 'asked_any') };
