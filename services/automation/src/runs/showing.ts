import type { Caller, GetAutomationRun, ListAutomationRuns, Page } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { allOf, readPage, whereGiven, type InputOf, type SortKey, type Sql } from '@messaging-gateway/service';
import type { AnswererKind } from '../answerers/answerer.ts';
import { findAnswerer, requireProfile } from '../answerers/answerer-records.ts';
import { isKnown, runStream, type KnownRun, type StepState } from './run.ts';
import { selectRuns, type RunRow } from './run-records.ts';

interface Tools {
  readonly sql: Sql;
  readonly store: EventStore;
}

const newest: readonly SortKey<RunRow>[] = [
  { column: 'started_at', kind: 'time', of: (row) => row.started_at.toISOString() },
  { column: 'run_id', kind: 'id', of: (row) => row.run_id },
];

/** Of which kinds runs are shown. */
const traced: readonly AnswererKind[] = ['flow', 'typebot'];

/** A page of the runs of a flow, the newest first. */
export async function listRuns(
  { sql, store }: Tools,
  { params, query, caller }: InputOf<typeof ListAutomationRuns>,
): Promise<Page<object>> {
  await findAnswerer(sql, traced, params.id, caller);
  const where = allOf([['answerer_id = $1', params.id], whereGiven('status = $1', query.status)]);
  const page = await readPage(sql, { select: selectRuns, where, order: newest, descending: true, query });
  return { ...page, items: await Promise.all(page.items.map((row) => shown(store, row, caller))) };
}

export async function getRun(
  { sql, store }: Tools,
  { params, caller }: InputOf<typeof GetAutomationRun>,
): Promise<object> {
  const [row] = await sql.query<RunRow>(
    `${selectRuns} WHERE run_id = $1 AND organization_id = $2 AND kind = ANY ($3)`,
    [params.id, caller.organizationId, traced],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such run.');
  requireProfile(caller, row.profile_id);
  const { state } = await store.load(runStream, row.run_id);
  const steps = isKnown(state) ? state.steps.map((step, index) => shownStep(state, step, index)) : [];
  return { ...(await shown(store, row, caller)), steps };
}

async function shown(store: EventStore, row: RunRow, caller: Caller): Promise<object> {
  const mayRead = caller.permissions.includes('message:read');
  const facts = mayRead ? await factsOf(store, row.run_id) : undefined;
  return {
    id: row.run_id,
    flowId: row.answerer_id,
    conversationId: row.conversation_id,
    messageId: row.message_id,
    status: row.status,
    reason: row.reason,
    message: facts?.message?.body ?? null,
    match: facts?.match?.text ?? null,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

async function factsOf(store: EventStore, runId: string): Promise<KnownRun['facts'] | undefined> {
  const { state } = await store.load(runStream, runId);
  return isKnown(state) ? state.facts : undefined;
}

function shownStep({ facts }: KnownRun, step: StepState, index: number): object {
  const [messageId] = step.messageIds;
  const { failure, ignored } = step;
  return {
    index,
    type: facts.actions[index]?.type ?? '',
    status: step.status,
    ...(messageId !== undefined && { messageId }),
    ...(failure !== undefined && { error: failure }),
    ...(ignored !== undefined && { ignored }),
    startedAt: step.startedAt ?? null,
    endedAt: step.endedAt ?? null,
  };
}
