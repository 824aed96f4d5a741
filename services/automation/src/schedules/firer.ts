import {
  conversationIdOf,
  DescribePerson,
  ListAudience,
  ListSuppressed,
  namedUuids,
  type AnswerOf,
  type FlowTrigger,
} from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { attending, type DueJob, type ServiceTools } from '@messaging-gateway/service';
import { answererOf } from '../answerers/answerer-records.ts';
import type { AnswererRecord } from '../answerers/answerers-view.ts';
import type { Compiled, Person } from '../answerers/compiled.ts';
import { flowOf } from '../flows/definition.ts';
import { flowKind } from '../flows/flow-kind.ts';
import { Timetable } from '../flows/triggers/timetable.ts';
import { metadataOf } from '../runs/releasing.ts';
import type { RunRunner } from '../runs/runner.ts';
import type { BeginRequest } from './begin-guard.ts';
import { firingStream, type Firing, type FiringCommand, type FiringFacts } from './firing.ts';
import type { ScheduleRecords, ScheduleRow } from './schedule-records.ts';

type Running = Extract<Firing, { status: 'running' }>;
type Listed = AnswerOf<typeof ListAudience>['items'][number];
type Times = Extract<FlowTrigger, { type: 'schedule' }>['value'];

export interface FirerParts {
  readonly ask: ServiceTools<unknown>['ask'];
  readonly clock: Clock;
  readonly log: Logger;
  readonly em: ServiceTools<unknown>['em'];
  readonly store: EventStore;
  readonly records: ScheduleRecords;
  readonly runner: RunRunner;
}

const idOf = namedUuids('b1d1f8a2-2d0f-5b0e-9c53-5b3a3a0c8f10');
const firingIdOf = (flowId: string, minute: number): string => idOf(`${flowId} ${minute}`);
/** Id of a person's run of a firing: one person gets a firing once, whatever the person's contacts are called. */
const runIdOf = (firingId: string, conversationId: string): string => idOf(`${firingId} ${conversationId}`);

/** Age up to which a missed time is made up for, milliseconds. */
const madeUpMs = 3_600_000;
/** People who are asked for at a time. */
const together = 50;
/** Runs of a flow that are carried out at the same time, about: others of the profile are to come in between. */
const mostRunning = 50;
/** Then it is looked again, milliseconds. */
const pauseMs = 500;
/** A firing that could not begin all of its runs for so long ends, milliseconds. */
const patienceMs = 86_400_000;
/** A process that carries out a firing says so as often, milliseconds. */
const leaseMs = 4_000;
/** People who are looked at at the same time. */
const atOnce = 8;

/** The flow as it is now; undefined: it does not fire at times any more. */
interface Current {
  readonly row: AnswererRecord;
  readonly compiled: Compiled;
  readonly times: Times;
}

/**
 * Lets flows fire when it is time: each person gets a run of its own. Any replica does it; a firing is a stream named by flow and
 * minute, and goes on where it came to.
 *
 * @see docs/decisions/0770-flows-that-fire-at-times.md
 */
export class Firer {
  readonly #parts: FirerParts;
  readonly job: DueJob;

  constructor(parts: FirerParts) {
    this.#parts = parts;
    const { clock, records } = parts;
    this.job = attending({ name: 'schedules', clock, rows: records, attend: (row) => this.#attend(row), atOnce: 20 });
  }

  async #attend(row: ScheduleRow): Promise<void> {
    const firingId = row.firing_id ?? (await this.#begin(row));
    if (firingId === undefined) return;
    const { state } = await this.#parts.store.load(firingStream, firingId);
    if (state.status === 'running') await this.#goOn(row, state);
  }

  /** @returns undefined: it does not fire now */
  async #begin({ flow_id: flowId, ...row }: ScheduleRow): Promise<string | undefined> {
    const { clock, log, records, store } = this.#parts;
    if (row.next_at === null) return undefined;
    const now = clock.now();
    const timetable = new Timetable(row.cron, row.timezone);
    const due = row.next_at.getTime();
    const minute = timetable.last(Math.max(due - 1, now - madeUpMs - 1), now);
    const next = timetable.next(now);
    const facts: FiringFacts = {
      firingId: firingIdOf(flowId, minute ?? due),
      flowId,
      profileId: row.profile_id,
      minute: new Date(minute ?? due).toISOString(),
      nextAt: next === undefined ? null : new Date(next).toISOString(),
      at: new Date(now).toISOString(),
    };
    const request: BeginRequest = { flowId, minute: facts.minute };
    const { outcome, state } = await store.handle(
      firingStream,
      facts.firingId,
      { type: minute === undefined ? 'Miss' : 'Begin', facts },
      { metadata: metadataOf(row.organization_id, row.profile_id), guard: { name: 'fire', request } },
    );
    if (outcome === 'guarded') return undefined;
    if (minute === undefined) log.warn('A flow did not fire: nobody was there in time', { flowId, at: facts.minute });
    if (outcome !== 'appended') await records.pass(flowId, minute ?? due, next);
    return state.status === 'running' ? facts.firingId : undefined;
  }

  async #goOn(row: ScheduleRow, first: Running): Promise<void> {
    const { clock, records } = this.#parts;
    let firing: Firing = first;
    while (firing.status === 'running') {
      const { firingId, flowId, minute } = firing.facts;
      const now = clock.now();
      const current = await this.#current(row);
      if (current === undefined || now - Date.parse(minute) > patienceMs) {
        await this.#tell(row, firingId, { type: 'End', at: new Date(now).toISOString() });
        return;
      }
      if ((await records.running(flowId, mostRunning)) >= mostRunning)
        return records.lookAt(flowId, firingId, now + pauseMs);
      await records.lookAt(flowId, firingId, now + leaseMs);
      firing = await this.#page(row, firing, current);
    }
  }

  async #page(row: ScheduleRow, { facts, after }: Running, current: Current): Promise<Firing> {
    const { ask, clock } = this.#parts;
    const { organization_id: organizationId, profile_id: profileId } = row;
    const { items, next } = await ask(ListAudience, {
      organizationId,
      profileId,
      recipients: chosen(current.times.recipients),
      asOf: facts.at,
      limit: together,
      ...(after !== undefined && { after }),
    });
    const people = items.filter(({ blocked }) => !blocked);
    const { suppressed } =
      people.length === 0
        ? { suppressed: [] }
        : await ask(ListSuppressed, { organizationId, people: people.map(({ phone, lid }) => ({ phone, lid })) });
    const left = people.filter((_, index) => suppressed[index] !== true);
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let one = left.shift(); one !== undefined; one = left.shift()) await this.#run(row, facts, one, current);
      }),
    );
    const at = new Date(clock.now()).toISOString();
    return this.#tell(row, facts.firingId, next === null ? { type: 'End', at } : { type: 'Advance', after: next, at });
  }

  /** Begins the run of one person, if the conditions hold. */
  async #run(row: ScheduleRow, facts: FiringFacts, { jid }: Listed, first: Current): Promise<void> {
    const { ask, clock, runner } = this.#parts;
    const { organization_id: organizationId, profile_id: profileId, flow_id: flowId } = row;
    const person: Person = await ask(DescribePerson, { organizationId, profileId, jid });
    const conversationId = person.conversationId ?? conversationIdOf(profileId, jid);
    for (let current: Current | undefined = first; current !== undefined; current = await this.#current(row)) {
      const now = clock.now();
      const { compiled } = current;
      if (!compiled.conditions.every(({ holds }) => holds({ person, now }))) return;
      const run = {
        runId: runIdOf(facts.firingId, conversationId),
        profileId,
        answererId: flowId,
        kind: 'flow' as const,
        conversationId,
        chat: jid,
        actions: compiled.actions,
        continues: false,
        at: new Date(now).toISOString(),
      };
      if (typeof person.handoverUntil === 'string' && Date.parse(person.handoverUntil) > now) {
        await runner.refuse(run, 'handover', organizationId);
        return;
      }
      const { version } = current.row;
      const { runId, at } = run;
      const { cooldownSeconds } = compiled;
      const asked = {
        runId,
        organizationId,
        profileId,
        conversationId,
        answererId: flowId,
        version,
        cooldownSeconds,
        at,
      };
      if ((await runner.begin(run, asked, Promise.resolve(person))) !== 'changed') return;
    }
  }

  async #current({ flow_id, organization_id }: ScheduleRow): Promise<Current | undefined> {
    const row = await answererOf(this.#parts.em(organization_id), flow_id).catch((error: unknown) => {
      if (error instanceof Refused) return undefined;
      throw error;
    });
    if (row?.enabled !== true) return undefined;
    const definition = flowOf(row);
    const { trigger } = definition;
    return trigger.type === 'schedule'
      ? { row, compiled: flowKind.compile(definition), times: trigger.value }
      : undefined;
  }

  async #tell({ organization_id, profile_id }: ScheduleRow, firingId: string, command: FiringCommand): Promise<Firing> {
    const metadata = metadataOf(organization_id, profile_id);
    return (await this.#parts.store.handle(firingStream, firingId, command, { metadata })).state;
  }
}

const chosen = (recipients: Times['recipients']) => {
  if (recipients.type === 'all') return { type: 'all' as const };
  if (recipients.type === 'tags') return { type: 'tags' as const, tags: [...recipients.value] };
  return { type: 'contacts' as const, contactIds: [...recipients.value] };
};
