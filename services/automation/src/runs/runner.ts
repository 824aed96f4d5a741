import { DescribePerson } from '@messaging-gateway/contracts';
import { attending, type DueJob, type Running } from '@messaging-gateway/service';
import { SlowPlaces, type Logger } from '@messaging-gateway/runtime';
import type { ChatPace } from './chat-pace.ts';
import {
  handOver,
  isHandedOver,
  metadataOf,
  release,
  type Owned,
  type Prepared,
  type ReleasingParts,
} from './releasing.ts';
import type { RunRecords, RunRow, RunsOf } from './run-records.ts';
import {
  hasEnded,
  isKnown,
  runStream,
  stepOf,
  type CancelledReason,
  type KnownRun,
  type RefusedReason,
  type Run,
  type RunCommand,
  type RunFacts,
  type StepState,
} from './run.ts';
import type { Person } from '../answerers/compiled.ts';
import type { StartRequest } from './start-guard.ts';
import { gather } from './steps/gather.ts';
import type { Failure, StepContext, StepResult, StepType } from '../step.ts';

/** Columns of a run that are needed to go on with it. */
type OpenRun = Pick<RunRow, 'run_id' | 'organization_id' | 'profile_id' | 'answerer_id' | 'started_at'>;

export interface RunnerParts extends ReleasingParts {
  readonly records: RunRecords;
  readonly pace: ChatPace;
  readonly log: Logger;
}

/** Other processes take a run up when nobody has gone on with it for so long, milliseconds. */
const leaseMs = 4_000;
/** Runs that a process goes on with as it begins them, at most; others wait for their turn. */
const mostBegun = 100;
/** A step that found no place waits for so long, milliseconds. */
const noPlaceMs = 1_000;
/** Messages of which nothing was heard are asked for after so long, milliseconds. */
const silenceMs = 15 * 60_000;
/** A step that fails for reasons of ours is given up after so long, milliseconds. */
const patienceMs = 3_600_000;

/** A step of which all is prepared waits before it sends the message at a place. */
const memoOf = (place: number): string => `pause before ${place}`;
function pausedAt({ memo }: Pick<StepState, 'memo'>): number | undefined {
  const place = /^pause before (\d+)$/.exec(memo ?? '')?.[1];
  return place === undefined ? undefined : Number(place);
}

/**
 * Carries out runs, step by step, in any replica: each step can be carried out again, as what it does outside bears an id that follows
 * from run and step, and what it sends is fixed before the first message leaves.
 *
 * @see docs/decisions/0769-runs-step-by-step.md
 */
export class RunRunner implements Running {
  readonly #parts: RunnerParts;
  readonly #types: ReadonlyMap<string, StepType>;
  readonly #slow = new SlowPlaces(8, 200);
  readonly #inHand = new Map<string, Promise<void>>();
  readonly #begun = new Map<string, Promise<void>>();
  /** Whom runs that were begun here are about, as they were known then. */
  readonly #people = new Map<string, Promise<Person>>();
  #stopping = new AbortController();
  /** Attends to runs when it is time. */
  readonly job: DueJob;

  constructor(parts: RunnerParts, types: readonly StepType[]) {
    this.#parts = parts;
    this.#types = new Map(types.map((one) => [one.type, one]));
    const { clock, records } = parts;
    this.job = attending({ name: 'runs', clock, rows: records, attend: (row) => this.#attend(row) });
  }

  async start(): Promise<void> {
    this.#stopping = new AbortController();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#inHand.values(), ...this.#begun.values()]);
  }

  /**
   * Begins a run, if nothing stands against it, or writes down what does.
   *
   * @param person as it was known when that was decided
   * @returns `changed`: the answerer is not as it was looked at; else the run of that id as it is, new or not
   */
  async begin(facts: RunFacts, asked: StartRequest, person?: Promise<Person>): Promise<'changed' | KnownRun> {
    const { store, pace } = this.#parts;
    const metadata = metadataOf(asked.organizationId, facts.profileId);
    for (;;) {
      const { outcome, state } = await store.handle(
        runStream,
        facts.runId,
        { type: 'Start', facts },
        { metadata, guard: { name: 'start', request: asked } },
      );
      if (outcome !== 'guarded' && isKnown(state)) {
        if (outcome === 'appended') this.#goOnAtOnce(state, asked, person);
        return state;
      }
      const reason = await pace.whyNotStart(asked);
      if (reason === 'changed') return reason;
      if (reason !== undefined) return this.refuse(facts, reason, asked.organizationId);
    }
  }

  /** Goes on with a run that this process has begun, unless it has begun too many; the row falls to others when it dies. */
  #goOnAtOnce(state: KnownRun, { organizationId: organization_id, at }: StartRequest, person?: Promise<Person>): void {
    const { runId, profileId, answererId } = state.facts;
    if (hasEnded(state)) return;
    if (this.#begun.size >= mostBegun || this.#stopping.signal.aborted) {
      void this.#letOthers(runId);
      return;
    }
    if (person !== undefined) this.#people.set(runId, person);
    const owned = {
      run_id: runId,
      organization_id,
      profile_id: profileId,
      answerer_id: answererId,
      started_at: new Date(at),
    };
    const work = this.#goOnWith(owned, state)
      .catch((error: unknown) => this.#parts.log.warn('A run was not gone on with', { runId, error: String(error) }))
      .finally(() => {
        this.#people.delete(runId);
        this.#begun.delete(runId);
      });
    this.#begun.set(runId, work);
  }

  async #letOthers(runId: string): Promise<void> {
    const { clock, log, records } = this.#parts;
    try {
      await records.lookAt(runId, clock.now());
      this.job.wake();
    } catch (error) {
      // It is looked at when its lease is over.
      log.debug('A run was not handed on', { runId, error: String(error) });
    }
  }

  /** Writes down that an answerer was not let through. */
  async refuse(facts: RunFacts, reason: RefusedReason, organizationId: string): Promise<KnownRun> {
    const metadata = metadataOf(organizationId, facts.profileId);
    const command: RunCommand = { type: 'Refuse', facts, reason };
    const { state } = await this.#parts.store.handle(runStream, facts.runId, command, { metadata });
    return state as KnownRun;
  }

  /** Takes in the outcome of a message. */
  async settled(messageId: string, status: 'sent' | 'failed', failure: Failure | undefined): Promise<void> {
    const { clock, records } = this.#parts;
    const row = await records.ofMessage(messageId);
    if (row === undefined) return;
    const at = new Date(clock.now()).toISOString();
    await this.#tell(row, { type: 'SettleMessage', messageId, status, ...(failure && { failure }), at });
  }

  /** Ends runs that have not ended. @param onlyWaiting those that do nothing now */
  async cancel(of: RunsOf, id: string, reason: CancelledReason, onlyWaiting = false): Promise<void> {
    const at = new Date(this.#parts.clock.now()).toISOString();
    for (const row of await this.#parts.records.open(of, id))
      if (!onlyWaiting || row.status === 'waiting') await this.#tell(row, { type: 'Cancel', reason, at });
  }

  async #attend(row: RunRow): Promise<void> {
    const { run_id: runId } = row;
    if (this.#inHand.has(runId) || this.#begun.has(runId)) return;
    const { state } = await this.#parts.store.load(runStream, runId);
    if (!isKnown(state) || hasEnded(state)) return this.#parts.records.lookAt(runId, null);
    await this.#goOnWith(row, state);
  }

  /** Goes on with a run; of one whose step asks somebody outside, without being waited for. */
  async #goOnWith(row: OpenRun, state: KnownRun): Promise<void> {
    const { run_id: runId } = row;
    if (!this.#isSlow(state)) return this.#goOn(row, state);
    const { records, clock, log } = this.#parts;
    const giveBack = this.#slow.take(row.organization_id);
    if (giveBack === undefined) return records.lookAt(runId, clock.now() + noPlaceMs);
    // Others have their turn meanwhile: it takes no place among those who are attended to.
    const stopRenewing = this.#keep(runId);
    const work = this.#goOn(row, state, true)
      .catch((error: unknown) => log.warn('A step of a run failed', { runId, error: String(error) }))
      .finally(() => {
        stopRenewing();
        giveBack();
        this.#inHand.delete(runId);
      });
    this.#inHand.set(runId, work);
  }

  /** Whether it asks somebody outside next. */
  #isSlow(run: KnownRun): boolean {
    const index = stepOf(run);
    const action = index === undefined ? undefined : run.facts.actions[index];
    return action !== undefined && this.#types.get(action.type)?.slow === true;
  }

  /** Keeps others from taking up a run as long as this process carries it out. */
  #keep(runId: string): () => void {
    const { clock, records, log } = this.#parts;
    let cancel = (): void => undefined;
    const renew = (): void => {
      records
        .lookAt(runId, clock.now() + leaseMs)
        .catch((error: unknown) => log.debug('A lease was not renewed', { runId, error: String(error) }));
      cancel = clock.at(clock.now() + leaseMs / 2, renew);
    };
    renew();
    return () => cancel();
  }

  /** One step after the other, as long as there is nothing to wait for. @param hasPlace it may ask somebody outside */
  async #goOn(row: OpenRun, first: KnownRun, hasPlace = false): Promise<void> {
    const { clock, records } = this.#parts;
    let state: Run = first;
    for (;;) {
      if (!isKnown(state) || hasEnded(state) || this.#stopping.signal.aborted) return;
      const index = stepOf(state);
      // Most are heard of before the row is due.
      if (index === undefined) return state === first ? this.#lookAfterMessages(row, state) : undefined;
      if (!hasPlace && this.#isSlow(state)) return this.#goOnWith(row, state);
      const step = state.steps[index];
      const until = step?.until === undefined ? 0 : Date.parse(step.until);
      if (clock.now() < until) {
        await records.lookAt(row.run_id, until);
        clock.at(until, () => this.job.wake());
        return;
      }
      const next = await this.#step(row, state, index);
      if (next === undefined) return;
      state = next;
    }
  }

  /** @returns undefined when it waits for its time */
  async #step(row: OpenRun, run: KnownRun, index: number): Promise<Run | undefined> {
    const { clock } = this.#parts;
    const step = run.steps[index];
    const at = (): string => new Date(clock.now()).toISOString();
    if (Array.isArray(step?.contents)) {
      const isMine = step.messageIds.length > 0 && pausedAt(step) === undefined;
      return this.#send(row, run, index, step, isMine);
    }
    if ((step?.attempt ?? 0) > 0 && (await this.#parts.records.isTakenAway(row)))
      return this.#tell(row, { type: 'Cancel', reason: 'deleted', at: at() });
    const result = await this.#carryOut(row, run, index);
    switch (result.status) {
      case 'wait': {
        const { memo } = result;
        const until = new Date(result.until).toISOString();
        await this.#tell(row, { type: 'Postpone', index, until, ...(memo !== undefined && { memo }), at: at() });
        clock.at(result.until, () => this.job.wake());
        return undefined;
      }
      case 'send': {
        const { contents, failure, ignored, handsOver = false } = result;
        const prepare = { contents, ...(failure && { failure }), ...(ignored && { ignored }) };
        const isMine = handsOver || run.facts.actions.slice(0, index).some(({ type }) => type === 'handover');
        const [first] = contents;
        if (first !== undefined && (first.delayMs ?? 0) === 0)
          return this.#send(row, run, index, { contents, ...(failure && { failure }) }, isMine, prepare);
        const prepared = await this.#tell(row, { type: 'Prepare', index, ...prepare, at: at() });
        const said = isKnown(prepared) && !hasEnded(prepared) ? prepared.steps[index]?.contents : undefined;
        return isKnown(prepared) && said !== undefined
          ? this.#send(row, prepared, index, { contents: said, ...(failure && { failure }) }, isMine)
          : prepared;
      }
      case 'failed':
        return this.#tell(row, { type: 'Settle', index, status: 'failed', failure: result.failure, at: at() });
      case 'done':
        return this.#tell(row, { type: 'Settle', index, status: 'done', at: at() });
      case 'superseded':
        return this.#tell(row, { type: 'Cancel', reason: 'superseded', at: at() });
      case 'end':
        return this.#tell(row, { type: 'Settle', index, status: 'done', ends: true, at: at() });
    }
  }

  async #carryOut(row: OpenRun, run: KnownRun, index: number): Promise<StepResult> {
    const { clock } = this.#parts;
    const action = run.facts.actions[index];
    const type = action === undefined ? undefined : this.#types.get(action.type);
    if (action === undefined || type === undefined)
      return { status: 'failed', failure: { code: 'NOT_SUPPORTED', message: 'There is no such action.' } };
    try {
      return await type.carryOut(action, this.#contextOf(row, run, index));
    } catch (error) {
      if (clock.now() - row.started_at.getTime() < patienceMs) throw error;
      return { status: 'failed', failure: { code: 'INTERNAL_ERROR', message: 'The step could not be carried out.' } };
    }
  }

  #contextOf({ organization_id: organizationId }: OpenRun, { facts, steps }: KnownRun, index: number): StepContext {
    const { runId, profileId, answererId, kind, conversationId, chat, message, match } = facts;
    const { attempt = 0, memo } = steps[index] ?? {};
    return {
      runId,
      organizationId,
      profileId,
      answererId,
      kind,
      conversationId,
      chat,
      ...(message !== undefined && { message }),
      ...(match !== undefined && { match }),
      index,
      attempt,
      ...(memo !== undefined && { memo }),
      startedAt: Date.parse(facts.at),
      now: this.#parts.clock.now(),
      person: () => {
        const known = attempt === 0 && index === 0 ? this.#people.get(runId) : undefined;
        return known ?? this.#parts.ask(DescribePerson, { organizationId, profileId, jid: message?.author ?? chat });
      },
      gathered: async () =>
        facts.actions.slice(0, index).some(({ type }) => type === gather)
          ? this.#parts.records.gathered({ runId, answererId, conversationId })
          : [],
      signal: this.#stopping.signal,
    };
  }

  /**
   * @param isMine it goes out although the chat was given to a human
   * @param prepare what is yet to be written down
   * @returns undefined when it waits for its time
   */
  async #send(
    row: OpenRun,
    run: KnownRun,
    index: number,
    step: Pick<StepState, 'contents' | 'failure' | 'memo'>,
    isMine: boolean,
    prepare?: Prepared,
  ): Promise<Run | undefined> {
    const { clock } = this.#parts;
    const { contents = [], failure } = step;
    const owned: Owned = { organizationId: row.organization_id, run };
    const at = (): string => new Date(clock.now()).toISOString();
    if (!isMine && (await isHandedOver(this.#parts, owned)))
      return this.#tell(row, { type: 'Cancel', reason: 'handover', at: at() });
    const released = await release(this.#parts, owned, index, contents, { pausedAt: pausedAt(step), prepare });
    if (typeof released === 'object' && 'pausedAt' in released) {
      const until = clock.now() + released.delayMs;
      const memo = memoOf(released.pausedAt);
      await this.#tell(row, { type: 'Postpone', index, until: new Date(until).toISOString(), memo, at: at() });
      clock.at(until, () => this.job.wake());
      return undefined;
    }
    if (released === 'elsewhere') return (await this.#parts.store.load(runStream, row.run_id)).state;
    if ('refused' in released)
      return this.#tell(row, { type: 'Settle', index, status: 'refused', reason: released.refused, at: at() });
    const status = released.failed || failure !== undefined ? 'failed' : 'done';
    return this.#tell(row, { type: 'Settle', index, status, at: at() });
  }

  /** Looks after a run that only waits for the outcome of its messages: when nothing was heard for long, outbound is asked. */
  async #lookAfterMessages(row: OpenRun, run: KnownRun): Promise<void> {
    const { clock, records } = this.#parts;
    const since = Math.max(...run.steps.map(({ endedAt }) => (endedAt === undefined ? 0 : Date.parse(endedAt))));
    if (clock.now() - since >= silenceMs) {
      const owned: Owned = { organizationId: row.organization_id, run };
      for (const step of run.steps)
        for (const [place, messageId] of step.messageIds.entries()) {
          const content = step.contents?.[place];
          if (run.messages[messageId] === null && content !== undefined)
            await handOver(this.#parts, owned, messageId, content);
        }
    }
    await records.lookAt(row.run_id, clock.now() + silenceMs);
  }

  async #tell({ run_id, organization_id, profile_id }: OpenRun, command: RunCommand): Promise<Run> {
    const metadata = metadataOf(organization_id, profile_id);
    return (await this.#parts.store.handle(runStream, run_id, command, { metadata })).state;
  }
}
