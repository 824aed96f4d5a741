import type {
  Batch as BatchContract,
  BatchSummary,
  BodyOf,
  Caller,
  CancelBatch,
  GetBatch,
  ListBatches,
  Page,
  QueryOf,
  SendBulk,
} from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import {
  assertProfileAllowed,
  decodeCursor,
  pageOf,
  type InputOf,
  type RequestContext,
} from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { Compose } from '../sending/drafts.ts';
import type { LaneRecords } from '../gate/lane-records.ts';
import { callerMetadata, openProfile } from '../sending/profile-access.ts';
import type { BatchFacts } from './batch.ts';
import { batchMessages } from './batch-messages.ts';
import type { BatchFilter, BatchRecords, BatchRow } from './batch-records.ts';
import { shownBatch, shownResults } from './batch-shown.ts';
import { batchStream } from './batch.ts';

type Shown = Static<typeof BatchContract>;
type Summary = Static<typeof BatchSummary>;
type Body = BodyOf<typeof SendBulk>;

export interface BulkSendingParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly records: BatchRecords;
  readonly lanes: LaneRecords;
  readonly compose: Compose;
  /** Has the runner look for batches with work. */
  readonly look: () => void;
}

const usualDelay = 3000;
/** Of what `randomizeDelay` adds, milliseconds. */
const meanRandom = 1000;

/** The routes of bulk sends. */
export class BulkSending {
  readonly #parts: BulkSendingParts;

  constructor(parts: BulkSendingParts) {
    this.#parts = parts;
  }

  /** @throws Refused VALIDATION_ERROR, NOT_FOUND, FORBIDDEN */
  async send({ body, caller, context }: InputOf<typeof SendBulk>) {
    const { look, lanes, store } = this.#parts;
    const { policy } = await openProfile(lanes, body.profileId, caller);
    const facts = await this.#accept(body, caller, context);
    const { state } = await store.load(batchStream, facts.batchId);
    look();
    const { batchId, total, delay, randomizeDelay, createdAt } = facts;
    const pace = Math.max(delay + (randomizeDelay ? meanRandom : 0), policy.messageDelayMs);
    return {
      batchId,
      status: state.status === 'none' ? ('queued' as const) : state.status,
      totalMessages: total,
      estimatedCompletionTime: new Date(Date.parse(createdAt) + (total - 1) * pace).toISOString(),
    };
  }

  /** @throws Refused FORBIDDEN */
  async list({ query, caller }: InputOf<typeof ListBatches>): Promise<Page<Summary>> {
    const { records } = this.#parts;
    const { limit = 50, cursor } = query;
    const before = decodeCursor(cursor, ['time', 'id']) as [string, string] | undefined;
    const filter = filterOf(query, caller);
    const [rows, total] = await Promise.all([records.page(filter, before, limit + 1), records.count(filter)]);
    const page = pageOf(
      rows,
      limit,
      ({ created_at, batch_id }) => [created_at.toISOString(), batch_id],
      (row) => row,
    );
    const progress = await records.progress(page.items.map(({ batch_id }) => batch_id));
    return { ...page, items: page.items.map((row) => shownBatch(row, progress.get(row.batch_id))), total };
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN */
  async get({ params, caller }: InputOf<typeof GetBatch>): Promise<Shown> {
    return this.#shown(await this.#find(params.batchId, caller));
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN, CONFLICT when it has ended */
  async cancel({ params, caller, context }: InputOf<typeof CancelBatch>): Promise<Shown> {
    const { clock, look, records, store } = this.#parts;
    const row = await this.#find(params.batchId, caller);
    const { batch_id: batchId, profile_id: profileId } = row;
    // A repeat after a crash is answered with what the first try has done.
    if (!(context.repeated && row.status === 'cancelled')) {
      const counted = (await records.progress([batchId])).get(batchId);
      const { sent = 0, failed = 0 } = counted ?? {};
      const metadata = callerMetadata(caller, profileId, context);
      const command = { type: 'Cancel', sent, failed, at: clock.now() } as const;
      await store.handle(batchStream, batchId, command, { metadata, onAppended: context.appended });
      await records.waiting.lookAt(batchId, clock.now());
      look();
    }
    return this.#shown(await this.#find(batchId, caller));
  }

  async #accept(body: Body, caller: Caller, context: RequestContext): Promise<BatchFacts> {
    const { clock, compose, store } = this.#parts;
    const batchId = context.resourceId;
    const known = context.repeated ? (await store.load(batchStream, batchId)).state : undefined;
    if (known !== undefined && known.status !== 'none') return known.facts;
    const { profileId, options = {} } = body;
    const messages = await batchMessages(compose, body, caller, context);
    const metadata = callerMetadata(caller, profileId, context);
    const facts: BatchFacts = {
      batchId,
      profileId,
      total: messages.length,
      messages,
      delay: options.delayBetweenMessages ?? usualDelay,
      randomizeDelay: options.randomizeDelay ?? false,
      stopOnError: options.stopOnError ?? false,
      createdAt: new Date(clock.now()).toISOString(),
      timedIds: true,
      actor: metadata.actor,
    };
    await store.handle(batchStream, batchId, { type: 'Accept', facts }, { metadata, onAppended: context.appended });
    return facts;
  }

  async #find(batchId: string, caller: Caller): Promise<BatchRow> {
    const row = await this.#parts.records.find(batchId);
    if (row === undefined || row.organization_id !== caller.organizationId)
      throw new Refused('NOT_FOUND', 'There is no such batch.');
    assertProfileAllowed(caller, row.profile_id);
    return row;
  }

  async #shown(row: BatchRow): Promise<Shown> {
    const { records, store } = this.#parts;
    const [items, progress, { state }] = await Promise.all([
      records.items(row.batch_id),
      records.progress([row.batch_id]),
      store.load(batchStream, row.batch_id),
    ]);
    return { ...shownBatch(row, progress.get(row.batch_id)), results: shownResults(items, state) };
  }
}

function filterOf({ profileId, status }: QueryOf<typeof ListBatches>, caller: Caller): BatchFilter {
  if (profileId !== undefined) assertProfileAllowed(caller, profileId);
  const profileIds = profileId === undefined ? caller.profileIds : [profileId];
  return {
    organizationId: caller.organizationId,
    ...(profileIds !== undefined && { profileIds }),
    ...(status !== undefined && { status }),
  };
}
