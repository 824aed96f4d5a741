import { jsonText } from '@messaging-gateway/event-sourcing';
import type { Sql } from '@messaging-gateway/service';
import type { Chat } from './chat.ts';
import type { Fact, Progress } from './fact.ts';

/** Stored facts about the messages of a batch. */
export interface Known {
  /** Organizations whose messages are no longer taken in. */
  readonly erased: ReadonlySet<string>;
  /** By the id of the message. */
  readonly facts: ReadonlyMap<string, Fact>;
  /** How far messages have come, by their id, that had not been told. */
  readonly ahead: ReadonlyMap<string, Fact['status']>;
  /** Where chats lead that became others. */
  readonly aliases: ReadonlyMap<string, string>;
  /** By the id of the conversation. */
  readonly chats: ReadonlyMap<string, Chat>;
}

/** A row of `message_facts` as JSON. */
interface FactRow {
  readonly organization_id: string;
  readonly place: string;
  readonly message_id: string;
  readonly profile_id: string;
  readonly conversation_id: string;
  readonly at: string;
  readonly direction: Fact['direction'];
  readonly private: boolean;
  readonly type: string;
  readonly origin: string;
  readonly status: Fact['status'];
}

interface ChatRow {
  readonly conversation_id: string;
  readonly last_incoming: string | null;
  readonly last_answer: string | null;
  readonly asked: string | null;
  readonly last_answer_any: string | null;
  readonly asked_any: string | null;
}

interface Row {
  readonly erased: readonly string[];
  readonly facts: readonly FactRow[];
  readonly ahead: readonly { readonly message_id: string; readonly status: Fact['status'] }[];
  readonly aliases: readonly { readonly conversation_id: string; readonly leads_to: string }[];
  readonly chats: readonly ChatRow[];
}

/** Each is looked up by its key: a join may be planned while the tables are empty, and scan them for ever after. */
const read = `
  SELECT coalesce((SELECT jsonb_agg(organization_id) FROM statistics_erased WHERE organization_id = ANY ($1)), '[]') AS erased,
         coalesce((SELECT jsonb_agg(found) FROM jsonb_to_recordset($2) g(organization_id uuid, message_id uuid, place uuid)
            CROSS JOIN LATERAL (
                   SELECT f.organization_id, f.place, f.message_id, f.profile_id, f.conversation_id, f.at, f.direction, f.private,
                          f.type, f.origin, f.status
                     FROM message_facts f
                    WHERE f.organization_id = g.organization_id
                      AND f.place = coalesce((SELECT p.place FROM fact_places p WHERE p.message_id = g.message_id), g.place)
                    LIMIT 1
                 ) found WHERE found.message_id = g.message_id), '[]') AS facts,
         coalesce((SELECT jsonb_agg(found) FROM jsonb_to_recordset($3) g(organization_id uuid, message_id uuid)
            CROSS JOIN LATERAL (
                   SELECT a.message_id, a.status FROM progress_ahead a
                    WHERE a.message_id = g.message_id AND a.organization_id = g.organization_id LIMIT 1
                 ) found), '[]') AS ahead,
         coalesce((SELECT jsonb_agg(found) FROM jsonb_to_recordset($4) g(organization_id uuid, conversation_id uuid)
            CROSS JOIN LATERAL (
                   SELECT a.conversation_id, a.leads_to FROM chat_aliases a
                    WHERE a.organization_id = g.organization_id AND a.conversation_id = g.conversation_id LIMIT 1
                 ) found), '[]') AS aliases,
         coalesce((SELECT jsonb_agg(found) FROM jsonb_to_recordset($4) g(organization_id uuid, conversation_id uuid)
            CROSS JOIN LATERAL (
                   SELECT c.conversation_id, c.last_incoming, c.last_answer, c.asked, c.last_answer_any, c.asked_any FROM chats c
                    WHERE c.organization_id = g.organization_id
                      AND c.conversation_id = coalesce((SELECT a.leads_to FROM chat_aliases a
                            WHERE a.organization_id = g.organization_id AND a.conversation_id = g.conversation_id), g.conversation_id)
                    LIMIT 1
                 ) found), '[]') AS chats`;

/** Within the turn of the organizations. */
export async function readKnown(
  sql: Sql,
  messages: readonly Fact[],
  progress: readonly Progress[],
  organizations: readonly string[],
): Promise<Known> {
  const told = messages.map(({ organizationId: organization_id, messageId: message_id, place }) => ({
    organization_id,
    message_id,
    place,
  }));
  // Nobody else's place is this id.
  const further = progress.map(({ organizationId: organization_id, messageId: message_id }) => ({
    organization_id,
    message_id,
    place: message_id,
  }));
  const chats = new Map(
    messages.flatMap(({ organizationId: organization_id, conversationId: conversation_id, isPrivate }) =>
      isPrivate ? [[conversation_id, { organization_id, conversation_id }] as const] : [],
    ),
  );
  const [row] = await sql.query<Row>(read, [
    organizations,
    jsonText([...told, ...further]),
    jsonText(told),
    jsonText([...chats.values()]),
  ]);
  const { erased, facts, ahead, aliases, chats: found } = row as Row;
  return {
    erased: new Set(erased),
    facts: new Map(facts.map((fact) => [fact.message_id, factOf(fact)])),
    ahead: new Map(ahead.map(({ message_id, status }) => [message_id, status])),
    aliases: new Map(aliases.map(({ conversation_id, leads_to }) => [conversation_id, leads_to])),
    chats: new Map(found.map((chat) => [chat.conversation_id, chatOf(chat)])),
  };
}

const factOf = (row: FactRow): Fact => ({
  organizationId: row.organization_id,
  place: row.place,
  messageId: row.message_id,
  profileId: row.profile_id,
  conversationId: row.conversation_id,
  at: Date.parse(row.at),
  direction: row.direction,
  isPrivate: row.private,
  type: row.type,
  origin: row.origin,
  status: row.status,
});

const chatOf = (row: ChatRow): Chat => ({
  lastIncoming: row.last_incoming,
  own: { lastAnswer: row.last_answer, asked: row.asked },
  any: { lastAnswer: row.last_answer_any, asked: row.asked_any },
});
