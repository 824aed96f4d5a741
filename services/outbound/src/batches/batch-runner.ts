import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { attending, type DueJob, type GoingOn } from '@messaging-gateway/service';
import { type KnownMessage, isKnown, isOpen, messageStream } from '../message/message.ts';
import { failureOf, hasWaited, unsendable, type UnattendedSending } from '../sending/unattended.ts';
import { hasEnded, type Batch, type BatchCommand } from './batch.ts';
import type { BatchRecords, BatchRow, ItemRow, Outcome } from './batch-records.ts';
import { batchStream } from './batch.ts';
import { itemMessageId, timelessItemId } from './item-id.ts';

export interface BatchRunnerParts {
  readonly store: EventStore;
  readonly records: BatchRecords;
  readonly unattended: UnattendedSending;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a batch waits for its profile's connection, milliseconds. */
  readonly timeToLive: number;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** A batch has come further. */
  readonly moved: (batch: GoingOn) => void;
}

type Known = Exclude<Batch, { status: 'none' }>;

/** Most that `randomizeDelay` adds, milliseconds. */
const mostRandom = 2000;

/**
 * Sends batches, one message after the other: each enters its lane when the one before is settled and the delay has
 * passed, so that direct sends go in between. Every step is taken by one of several replicas, any of them, and can be
 * taken again: a message has the same id whoever sends it.
 *
 * @see docs/decisions/0371-batches-step-by-step.md
 */
export class BatchRunner {
  readonly #parts: BatchRunnerParts;
  /** Attends to batches when it is time. */
  readonly job: DueJob;

  constructor(parts: BatchRunnerParts) {
    this.#parts = parts;
    const { clock, records } = parts;
    this.job = attending({
      name: 'batches',
      clock,
      rows: records.waiting,
      attend: (row: BatchRow) => this.#attend(row),
    });
  }

  /** A message of a batch was settled. */
  settled(messageId: string): void {
    const { clock, log, records } = this.#parts;
    records.settled(messageId, clock.now()).then(
      (isOne) => isOne && this.job.wake(),
      // It is looked at again in a moment anyway.
      (error: unknown) => log.warn('A batch could not be told of its message', { reason: String(error) }),
    );
  }

  /** The profile is connected: what waits for that is looked at now. */
  async connected(profileId: string): Promise<void> {
    const { clock, records } = this.#parts;
    if (await records.waiting.wake(profileId, clock.now())) this.job.wake();
  }

  /** The profile is gone: nothing of it will be sent. */
  async close(profileId: string, organizationId: string): Promise<void> {
    const open = await this.#parts.records.waiting.openOf(profileId);
    for (const batchId of open) {
      const { state } = await this.#parts.store.load(batchStream, batchId);
      const row = { batch_id: batchId, profile_id: profileId, organization_id: organizationId };
      if (state.status !== 'none') await this.#fail(row, unsendable.gone.code, state.released);
    }
  }

  /** The organization is erased: nothing of it will be sent. */
  async closeAll(organizationId: string): Promise<void> {
    for (const profileId of await this.#parts.records.openProfiles(organizationId))
      await this.close(profileId, organizationId);
  }

  async #attend(row: BatchRow): Promise<void> {
    const { store, records, moved } = this.#parts;
    moved({ id: row.batch_id, organizationId: row.organization_id, profileId: row.profile_id });
    const { state } = await store.load(batchStream, row.batch_id);
    if (state.status === 'none') return;
    const last = state.released - 1;
    let item = last < 0 ? undefined : await records.item(row.batch_id, last);
    if (item?.status === 'pending' && (await this.#sentByEarlierVersion(state, last)))
      item = await records.item(row.batch_id, last);
    if (item?.status === 'pending' && !(await this.#isAccepted(item))) {
      if (!hasEnded(state)) return this.#enter(row, state, last);
      await records.cancelItem(row.batch_id, last);
    } else if (item?.status === 'pending') return;
    if (hasEnded(state)) return records.waiting.lookAt(row.batch_id, undefined);
    return item === undefined ? this.#release(row, state) : this.#goOn(row, state, item);
  }

  /** After a message that is settled. */
  async #goOn(row: BatchRow, state: Known, { status, error, settled_at }: ItemRow): Promise<void> {
    const { clock, records } = this.#parts;
    const { facts, released, pause } = state;
    const reason = error?.code ?? 'ENGINE_REFUSED';
    if (status === 'failed' && (facts.stopOnError || reason === 'DAILY_LIMIT_REACHED'))
      return this.#fail(row, reason, released);
    if (released === facts.total) return this.#end(row, { type: 'Complete', ...(await this.#counted(row.batch_id)) });
    const dueAt = (settled_at?.getTime() ?? 0) + pause;
    if (clock.now() >= dueAt) return this.#release(row, state);
    await records.waiting.lookAt(row.batch_id, dueAt);
    clock.at(dueAt, () => this.job.wake());
  }

  async #release(row: BatchRow, state: Known): Promise<void> {
    const { clock, unattended, random, records, timeToLive } = this.#parts;
    const { batch_id: batchId, waiting_since: waitingSince } = row;
    const { delay, randomizeDelay } = state.facts;
    const connection = await unattended.connection(row.profile_id, row.organization_id);
    if (connection === 'gone') return this.#fail(row, unsendable.gone.code, state.released);
    if (connection === 'not-connected') {
      const now = clock.now();
      if (hasWaited(timeToLive, waitingSince, this.job.startedAt, now))
        return this.#fail(row, unsendable.expired.code, state.released);
      return records.waiting.wait(batchId, now);
    }
    const pause = delay + (randomizeDelay ? Math.floor(random() * (mostRandom + 1)) : 0);
    const { events } = await this.#tell(row, { type: 'Release', index: state.released, pause });
    if (events.length > 0) await this.#enter(row, state, state.released);
  }

  async #enter(row: BatchRow, state: Known, index: number): Promise<void> {
    const { facts } = state;
    if (await this.#sentByEarlierVersion(state, index))
      return this.#parts.records.waiting.lookAt(row.batch_id, this.#parts.clock.now());
    const { profile_id: profileId, organization_id: organizationId } = row;
    const message = typeof facts.messages === 'object' ? facts.messages[index] : undefined;
    if (message === undefined) return this.#fail(row, unsendable.erased.code, index);
    const draft = { profileId, ...message, origin: 'bulk' } as const;
    const messageId = itemMessageId(facts, index);
    try {
      await this.#parts.unattended.enter({ messageId, organizationId, actor: facts.actor, draft });
    } catch (error) {
      await this.#fail(row, failureOf(error).code, index);
    }
  }

  async #fail(row: Named, reason: string, from: number): Promise<void> {
    await this.#end(row, { type: 'Fail', reason, from, ...(await this.#counted(row.batch_id)) });
  }

  async #end(row: Named, command: BatchCommand): Promise<void> {
    await this.#tell(row, command);
    // What is still on its way is looked after until it is settled.
    await this.#parts.records.waiting.lookAt(row.batch_id, this.#parts.clock.now());
    this.job.wake();
  }

  async #counted(batchId: string): Promise<{ sent: number; failed: number; at: number }> {
    const progress = (await this.#parts.records.progress([batchId])).get(batchId);
    return { sent: progress?.sent ?? 0, failed: progress?.failed ?? 0, at: this.#parts.clock.now() };
  }

  async #isAccepted({ message_id }: ItemRow): Promise<boolean> {
    return isKnown((await this.#parts.store.load(messageStream, message_id)).state);
  }

  /** While versions change, a replica of the earlier one may have taken a step: it made other ids of the same messages. */
  async #sentByEarlierVersion({ facts }: Known, index: number): Promise<boolean> {
    const { clock, records, store } = this.#parts;
    if (facts.timedIds !== true) return false;
    const messageId = timelessItemId(facts.batchId, index);
    const { state } = await store.load(messageStream, messageId);
    if (!isKnown(state)) return false;
    await records.sentAs(facts.batchId, index, messageId, outcomeOf(state), clock.now());
    return true;
  }

  #tell({ batch_id: batchId, profile_id: profileId, organization_id: organizationId }: Named, command: BatchCommand) {
    const subject = `organization:${organizationId}`;
    const metadata = { organizationId, profileId, subject, actor: 'service:outbound' };
    return this.#parts.store.handle(batchStream, batchId, command, { metadata });
  }
}

type Named = Pick<BatchRow, 'batch_id' | 'profile_id' | 'organization_id'>;

function outcomeOf(message: KnownMessage): Outcome {
  if (isOpen(message)) return { status: 'pending' };
  const { status, error } = message;
  return status === 'failed' ? { status, ...(error !== undefined && { error }) } : { status: 'sent' };
}
