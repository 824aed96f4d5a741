import {
  liveKinds,
  livePermission,
  type Caller,
  type ReadEvents,
  type ReadLive,
  type ToldEvent,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { InputOf, Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { shownEvent } from '../delivery/payload.ts';
import { beginning, lastSequence, readLog, readLogBack, sequenceOf, type LogScope } from './event-log.ts';
import { lastRemoved } from './removing.ts';
import type { EventLogTools } from './tools.ts';

interface EventsAnswer {
  readonly items: Static<typeof ToldEvent>[];
  readonly nextCursor: string;
}

/** Left over between the end of a long wait and the request's deadline, milliseconds. */
const answerWithinMs = 2000;
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `GET /events`: what comes after a cursor, waiting for it when asked to; or what came before one, the newest first. */
export const readEvents = (tools: EventLogTools, input: InputOf<typeof ReadEvents>): Promise<EventsAnswer> =>
  input.query.before === undefined ? readAfter(tools, input, {}, input.query.after) : readBefore(tools, input);

/** `GET /live`: the same of what somebody may be told who looks on, and what is told to those alone. */
export async function readLive(tools: EventLogTools, input: InputOf<typeof ReadLive>): Promise<EventsAnswer> {
  const { caller, query } = input;
  const { items, nextCursor } = await readAfter(tools, input, { kinds: kindsFor(caller) }, query.after ?? 'latest');
  return { items: items.filter(({ event, data }) => isFor(caller, event, data)), nextCursor };
}

/** Kinds that a caller may be told. Profiles are another matter. */
const kindsFor = ({ permissions, apiKeyId }: Caller): readonly string[] =>
  liveKinds.filter((kind) => {
    const permission = livePermission(kind);
    return permission === 'own' ? apiKeyId === undefined : permissions.includes(permission);
  });

const isFor = ({ userId }: Caller, kind: string, data: Readonly<Record<string, unknown>>): boolean =>
  livePermission(kind) !== 'own' || data['userId'] === userId;

async function readBefore(
  { sql, settings }: EventLogTools,
  { caller: { organizationId, profileIds }, query, context }: InputOf<typeof ReadEvents>,
): Promise<EventsAnswer> {
  const { before = '', after, wait = 0, limit = 50 } = query;
  if (after !== undefined || wait > 0)
    throw invalid([{ path: 'query.before', message: 'goes without after and wait' }]);
  const place =
    before === 'latest'
      ? (await lastSequence(sql, organizationId)) + 1n
      : await placeOf(sql, organizationId, before, 'query.before');
  const { bodies, next } =
    place === undefined
      ? { bodies: [], next: beginning }
      : await readLogBack(sql, { organizationId, profileIds }, place, limit);
  return { items: shown(bodies, settings, context), nextCursor: cursorOf(next) };
}

const shown = (
  bodies: readonly string[],
  { publicUrl }: EventLogTools['settings'],
  context: InputOf<typeof ReadEvents>['context'],
): EventsAnswer['items'] => bodies.map((body) => shownEvent(body, publicUrl ?? context.publicUrl ?? ''));

async function readAfter(
  tools: EventLogTools,
  { caller, query, context }: InputOf<typeof ReadEvents | typeof ReadLive>,
  wanted: Pick<LogScope, 'kinds'>,
  place: string | undefined,
): Promise<EventsAnswer> {
  const { organizationId, profileIds } = caller;
  const { limit = 50, wait = 0 } = query;
  const after = await startOf(tools.sql, organizationId, place);
  const until = Math.min(tools.clock.now() + wait * 1000, context.deadline - answerWithinMs);
  let next = after;
  const bodies = await tools.arrivals.waitFor(organizationId, until, async () => {
    const scope = { organizationId, profileIds, ...wanted };
    const page = await readLog(tools.sql, scope, next, limit, tools.heads.last);
    next = page.next;
    return page.bodies.length > 0 ? page.bodies : undefined;
  });
  return {
    items: shown(bodies ?? [], tools.settings, context),
    nextCursor: cursorOf(next),
  };
}

/** @throws Refused CURSOR_EXPIRED when what came after it is not all kept any more */
async function startOf(sql: Sql, organizationId: string, after: string | undefined): Promise<bigint> {
  if (after === undefined) return beginning;
  if (after === 'latest') return lastSequence(sql, organizationId);
  const removed = await lastRemoved(sql, organizationId);
  if (removed?.eventId === after.toLowerCase()) return removed.sequence;
  const sequence = await placeOf(sql, organizationId, after, 'query.after');
  if (sequence === undefined || (removed !== undefined && sequence < removed.sequence))
    throw new Refused(
      'CURSOR_EXPIRED',
      'Events after this place are no longer kept: begin again without `after`, and look for what was missed elsewhere.',
    );
  return sequence;
}

const cursorForm = /^e([0-9]{1,18})$/;
const cursorOf = (sequence: bigint): string => Buffer.from(`e${sequence}`).toString('base64url');

/** The sequence that an event's id or a cursor names; undefined: an event that is not kept (any more). */
const placeOf = async (sql: Sql, organizationId: string, place: string, path: string): Promise<bigint | undefined> =>
  uuidForm.test(place) ? sequenceOf(sql, organizationId, place) : sequenceIn(place, path);

function sequenceIn(cursor: string, path: string): bigint {
  const match = cursorForm.exec(Buffer.from(cursor, 'base64url').toString());
  if (match?.[1] !== undefined) return BigInt(match[1]);
  throw invalid([{ path, message: "must be a nextCursor, an event's id or latest" }]);
}
