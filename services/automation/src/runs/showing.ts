import type { Caller, GetAutomationRun, ListAutomationRuns, Page } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import type { AnswererKind } from '../answerers/answerer.ts';
import { findAnswerer, requireProfile } from '../answerers/answerer-records.ts';
import { isKnown, runStream, type KnownRun, type StepState } from './run.ts';
import { RunEntity, type RunRecord } from './runs-view.ts';

const whenBegun: readonly EntityOrder<RunRecord>[] = [
  { property: 'startedAt', kind: 'time' },
  { property: 'runId', kind: 'id' },
];

/** Of which kinds runs are shown. */
const traced: readonly AnswererKind[] = ['flow', 'typebot'];

/** A page of the runs of a flow, the newest first. */
export async function listRuns(
  store: EventStore,
  { params, query, caller, context }: InputOf<typeof ListAutomationRuns>,
): Promise<Page<object>> {
  const em = context.em();
  await findAnswerer(em, traced, params.id, caller);
  const { status } = query;
  const where = { answererId: params.id, ...(status !== undefined && { status }) };
  const page = await entityPage(em, RunEntity, { where, order: whenBegun, descending: true, query });
  return { ...page, items: await Promise.all(page.items.map((row) => shown(store, row, caller))) };
}

export async function getRun(
  store: EventStore,
  { params, caller, context }: InputOf<typeof GetAutomationRun>,
): Promise<object> {
  const row = await context.em().findOne(RunEntity, { runId: params.id, kind: { $in: [...traced] } });
  if (row === null) throw new Refused('NOT_FOUND', 'There is no such run.');
  requireProfile(caller, row.profileId);
  const { state } = await store.load(runStream, row.runId);
  const steps = isKnown(state) ? state.steps.map((step, index) => shownStep(state, step, index)) : [];
  return { ...(await shown(store, row, caller)), steps };
}

async function shown(store: EventStore, row: RunRecord, caller: Caller): Promise<object> {
  const mayRead = caller.permissions.includes('message:read');
  const facts = mayRead ? await factsOf(store, row.runId) : undefined;
  return {
    id: row.runId,
    flowId: row.answererId,
    conversationId: row.conversationId,
    messageId: row.messageId ?? null,
    status: row.status,
    reason: row.reason ?? null,
    message: facts?.message?.body ?? null,
    match: facts?.match?.text ?? null,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
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
