import type { MessageStatusWord } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';
import fc from 'fast-check';
import { v5, v7 } from 'uuid';
import { anyWords, higher, ownWords, type Fact, type News } from './facts/fact.ts';
import { placeOf } from './facts/place.ts';

const dayMs = 86_400_000;
const quarterMs = 900_000;
const space = '6a2d3f0e-1111-5000-8000-000000000001';
const idOf = (name: string): string => v5(name, space);

/** One message of a history, and how far it came. */
interface Told {
  readonly chat: number;
  readonly minutes: number;
  readonly origin: string;
  readonly type: string;
  readonly statuses: readonly MessageStatusWord[];
  readonly ownTime: boolean;
}

const told: fc.Arbitrary<Told> = fc.record({
  chat: fc.integer({ min: 0, max: 4 }),
  minutes: fc.integer({ min: 0, max: 3 * 1440 }),
  origin: fc.constantFrom('', '', '', 'api', 'phone', 'automation', 'broadcast', 'bulk', 'schedule', 'code'),
  type: fc.constantFrom('text', 'image'),
  statuses: fc.subarray<MessageStatusWord>(['unknown', 'failed', 'sent', 'delivered', 'read']),
  ownTime: fc.boolean(),
});

/** A history in the order in which it happened: what was said in some chats, one of which becomes another one, and one is a group. */
export interface History {
  readonly organizationId: string;
  readonly begun: number;
  readonly told: readonly Told[];
  readonly joins: boolean;
}

export const histories = (organizationId: () => string): fc.Arbitrary<History> =>
  fc.record({
    organizationId: fc.constant(null).map(organizationId),
    begun: fc.constant(Date.UTC(2026, 9, 24, 21, 7)),
    told: fc.array(told, { maxLength: 40 }),
    joins: fc.boolean(),
  });

const profileOf = (chat: number, organizationId: string): string => idOf(`${organizationId} profile ${chat % 2}`);
const chatOf = (chat: number, organizationId: string): string => idOf(`${organizationId} chat ${chat}`);

/** All that is told of a history, in order. */
export function newsOf({ organizationId, begun, told: all, joins }: History): News[] {
  const news = all.flatMap(({ chat, minutes, origin, type, statuses, ownTime }, index): News[] => {
    const time = begun + minutes * 60_000 + index;
    const incoming = origin === '';
    const messageId =
      incoming || ownTime
        ? v7({ msecs: time, random: seed(organizationId, index) })
        : idOf(`${organizationId} ${index}`);
    const fact = {
      kind: 'message',
      organizationId,
      messageId,
      profileId: profileOf(chat, organizationId),
      conversationId: chatOf(chat, organizationId),
      direction: incoming ? 'incoming' : 'outgoing',
      isPrivate: chat !== 3,
      type,
      origin,
      status: incoming ? 'received' : 'queued',
      ...placeOf(messageId, time),
    } as const;
    const further = incoming
      ? []
      : statuses.map((status) => ({ kind: 'progress', organizationId, messageId, status }) as const);
    return [fact, ...further];
  });
  if (!joins) return news;
  return [
    ...news,
    { kind: 'join', organizationId, conversationId: chatOf(4, organizationId), into: chatOf(0, organizationId) },
  ];
}

const seed = (organizationId: string, index: number): Uint8Array => {
  const bytes = Buffer.from(idOf(`${organizationId} ${index} random`).replaceAll('-', ''), 'hex');
  return new Uint8Array(bytes);
};

/** Everything that is counted, as rows of text: what tables hold, or what they must hold. */
export type Counted = Readonly<Record<'quarters' | 'days' | 'flow' | 'chatDays' | 'answers', readonly string[]>>;

/** Counts a history by itself, with nothing of what the service does it with. */
export function recounted(history: History): Counted {
  const facts = new Map<string, Fact>();
  const progress = new Map<string, MessageStatusWord[]>();
  for (const one of newsOf(history)) {
    if (one.kind === 'message') facts.set(one.messageId, one);
    if (one.kind === 'progress') progress.set(one.messageId, [...(progress.get(one.messageId) ?? []), one.status]);
  }
  const { organizationId } = history;
  const all = [...facts.values()].map((fact) => ({
    ...fact,
    status: (progress.get(fact.messageId) ?? []).reduce(higher, fact.status),
    conversationId:
      history.joins && fact.conversationId === chatOf(4, organizationId) && fact.isPrivate
        ? chatOf(0, organizationId)
        : fact.conversationId,
  }));
  const tally = (rows: readonly string[]): string[] =>
    [...Map.groupBy(rows, (row) => row)].map(([row, same]) => `${row} ${same.length}`).toSorted();
  const kind = (fact: Fact): string => [fact.profileId, fact.direction, fact.type, fact.status, fact.origin].join(' ');
  const floor = (time: number, step: number): string => new Date(Math.floor(time / step) * step).toISOString();
  const flow = Map.groupBy(all, ({ at, profileId }) => `${floor(at, quarterMs)} ${profileId}`);
  return {
    quarters: tally(all.map((fact) => `${floor(fact.at, quarterMs)} ${kind(fact)}`)),
    days: tally(all.map((fact) => `${floor(fact.at, dayMs)} ${kind(fact)}`)),
    flow: [...flow]
      .map(([key, some]) => {
        const incoming = some.filter(({ direction }) => direction === 'incoming').length;
        return `${key} ${incoming} ${some.length - incoming}`;
      })
      .toSorted(),
    chatDays: [
      ...new Set(
        all
          .filter(({ isPrivate, direction }) => isPrivate && direction === 'incoming')
          .map((fact) => `${floor(fact.at, dayMs)} ${fact.profileId} ${fact.conversationId}`),
      ),
    ].toSorted(),
    answers: [false, true]
      .flatMap((any) => answersOf(all, any ? anyWords : ownWords).map((row) => `${any} ${row}`))
      .toSorted(),
  };
}

function answersOf(all: readonly Fact[], words: readonly string[]): string[] {
  const chats = Map.groupBy(
    all.filter(({ isPrivate }) => isPrivate),
    ({ conversationId }) => conversationId,
  );
  return [...chats].flatMap(([conversationId, said]) => {
    let asked: Fact | undefined;
    const found: string[] = [];
    for (const fact of said.toSorted((one, other) => (one.place < other.place ? -1 : 1))) {
      if (fact.direction === 'incoming') asked ??= fact;
      else if (words.includes(fact.origin) && fact.status !== 'failed') {
        if (asked !== undefined)
          found.push(`${conversationId} ${fact.place} ${fact.profileId} ${(fact.at - asked.at) / 1000}`);
        asked = undefined;
      }
    }
    return found;
  });
}

/** Counts of an organization in the tables. */
export async function counted(sql: Sql, organizationId: string): Promise<Counted> {
  const rows = async (columns: string, table: string, where = 'true'): Promise<string[]> =>
    (
      await sql.query<{ row: string }>(
        `SELECT concat_ws(' ', ${columns}) AS row FROM insights.${table} WHERE organization_id = $1 AND ${where}`,
        [organizationId],
      )
    )
      .map(({ row }) => row)
      .toSorted();
  const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const kind = 'profile_id, direction, type, status, origin';
  return {
    quarters: await rows(`${iso('quarter')}, ${kind}, count`, 'message_quarters', 'count <> 0'),
    days: await rows(`${iso('day')}, ${kind}, count`, 'message_days', 'count <> 0'),
    flow: await rows(`${iso('quarter')}, profile_id, incoming, outgoing`, 'message_flow'),
    chatDays: await rows(`${iso('day')}, profile_id, conversation_id`, 'chat_days'),
    answers: await rows(`with_automatic::text, conversation_id, answer, profile_id, seconds`, 'answers'),
  };
}
