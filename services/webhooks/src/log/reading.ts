import type { ReadEvents, ToldEvent } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { InputOf, Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { shownEvent } from '../delivery/payload.ts';
import { beginning, lastSequence, readLog, sequenceOf } from './event-log.ts';
import { lastRemoved } from './removing.ts';
import type { EventLogTools } from './tools.ts';

interface EventsAnswer {
  readonly items: Static<typeof ToldEvent>[];
  readonly nextCursor: string;
}

/** Left over between the end of a long wait and the request's deadline, milliseconds. */
const answerWithinMs = 2000;
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `GET /events`: what comes after a cursor, waiting for it when asked to. */
export async function readEvents(tools: EventLogTools, input: InputOf<typeof ReadEvents>): Promise<EventsAnswer> {
  const { caller, query, context } = input;
  const { organizationId, profileIds } = caller;
  const { limit = 50, wait = 0 } = query;
  const after = await startOf(tools.sql, organizationId, query.after);
  const until = Math.min(tools.clock.now() + wait * 1000, context.deadline - answerWithinMs);
  let next = after;
  const bodies = await tools.arrivals.waitFor(organizationId, until, async () => {
    const page = await readLog(tools.sql, { organizationId, profileIds }, next, limit);
    next = page.next;
    return page.bodies.length > 0 ? page.bodies : undefined;
  });
  return {
    items: (bodies ?? []).map((body) => shownEvent(body, tools.settings.publicUrl ?? context.publicUrl ?? '')),
    nextCursor: cursorOf(next),
  };
}

/** @throws Refused CURSOR_EXPIRED when what came after it is not all kept any more */
async function startOf(sql: Sql, organizationId: string, after: string | undefined): Promise<bigint> {
  if (after === undefined) return beginning;
  if (after === 'latest') return lastSequence(sql, organizationId);
  const removed = await lastRemoved(sql, organizationId);
  if (removed?.eventId === after.toLowerCase()) return removed.sequence;
  const sequence = uuidForm.test(after) ? await sequenceOf(sql, organizationId, after) : sequenceIn(after);
  if (sequence === undefined || (removed !== undefined && sequence < removed.sequence))
    throw new Refused(
      'CURSOR_EXPIRED',
      'Events after this place are no longer kept: begin again without `after`, and look for what was missed elsewhere.',
    );
  return sequence;
}

const cursorForm = /^e([0-9]{1,18})$/;
const cursorOf = (sequence: bigint): string => Buffer.from(`e${sequence}`).toString('base64url');

function sequenceIn(cursor: string): bigint {
  const match = cursorForm.exec(Buffer.from(cursor, 'base64url').toString());
  if (match?.[1] !== undefined) return BigInt(match[1]);
  throw invalid([{ path: 'query.after', message: "must be a nextCursor, an event's id or latest" }]);
}
