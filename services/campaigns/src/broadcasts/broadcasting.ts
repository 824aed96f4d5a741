import {
  type Caller,
  type CancelBroadcast,
  type CreateBroadcast,
  DescribeProfile,
  type DeleteBroadcast,
  type ExportBroadcastRecipients,
  type GetBroadcast,
  type GetBroadcastForecast,
  isTimeZone,
  type ListBroadcastRecipients,
  type ListBroadcasts,
  type Page,
  type PauseBroadcast,
  type ResumeBroadcast,
  type ScheduleBroadcast,
  type StartBroadcast,
  type UpdateBroadcast,
} from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { invalid, Refused } from '@messaging-gateway/messaging';
import {
  actorOf,
  assertProfileAllowed,
  holding,
  type InputOf,
  type RequestContext,
  type ServiceTools,
} from '@messaging-gateway/service';
import { entityPage } from '@messaging-gateway/service/entities';
import { askedBy } from '../metadata.ts';
import { BroadcastEntity, whenMade } from './broadcast-entity.ts';
import type { BroadcastRecords, BroadcastRow } from './broadcast-records.ts';
import {
  type Broadcast,
  type BroadcastCommand,
  type BroadcastFacts,
  broadcastStream,
  isKnown,
  isPlanned,
  type KnownBroadcast,
  type Settings,
} from './broadcast.ts';
import type { Forecasting, ShownForecast } from './forecasting.ts';
import { keptForDraft, type MediaTools } from './media.ts';
import { messageFaults } from './message.ts';
import { recipientsCsv, recipientsPage } from './recipients.ts';
import type { BroadcastRunner } from './runner.ts';
import { type Shown, shownBroadcast, shownStats, type ShownStats, shownVariants, type VariantRow } from './shown.ts';
import type { StartingBroadcasts } from './starting.ts';

export interface BroadcastingParts extends MediaTools, Pick<ServiceTools<unknown>, 'ask'> {
  readonly store: EventStore;
  readonly records: BroadcastRecords;
  readonly runner: BroadcastRunner;
  readonly starting: StartingBroadcasts;
  readonly forecasting: Forecasting;
}

const usual: Settings = { delayMin: 3000, delayMax: 10_000, batchSize: 50, retryFailed: true, retryAttempts: 3 };
const longest = 365 * 24 * 3_600_000;

/** The routes of broadcasts. */
export class Broadcasting {
  readonly #parts: BroadcastingParts;

  constructor(parts: BroadcastingParts) {
    this.#parts = parts;
  }

  /** @throws Refused VALIDATION_ERROR, NOT_FOUND, FORBIDDEN */
  async create({ body, caller, context }: InputOf<typeof CreateBroadcast>): Promise<Shown> {
    const { clock, store } = this.#parts;
    const broadcastId = context.resourceId;
    if (context.repeated && isKnown((await store.load(broadcastStream, broadcastId)).state))
      return this.#shown(broadcastId);
    const { profileId, name, message, recipients, settings, quietHours } = body;
    await this.#assertProfile(profileId, caller, context);
    const facts: BroadcastFacts = {
      broadcastId,
      profileId,
      name,
      message,
      recipients,
      settings: { ...usual, ...settings },
      ...(quietHours !== undefined && quietHours !== null && { quietHours }),
      createdAt: new Date(clock.now()).toISOString(),
      actor: actorOf(caller),
    };
    assertInOrder(facts);
    const keeping = { ownerId: broadcastId, caller, requestId: broadcastId };
    const kept = { ...facts, message: await keptForDraft(this.#parts, message, keeping) };
    await this.#handle(kept, caller, context, { type: 'Draft', facts: kept });
    return this.#shown(broadcastId);
  }

  /** @throws Refused VALIDATION_ERROR, NOT_FOUND, FORBIDDEN, CONFLICT */
  async update({ params, body, caller, context }: InputOf<typeof UpdateBroadcast>): Promise<Shown> {
    const { state } = await this.#find(params.id, caller);
    const { settings, quietHours, ...given } = body;
    const { quietHours: before, ...known } = state.facts;
    const quiet = quietHours === undefined ? before : (quietHours ?? undefined);
    const facts: BroadcastFacts = {
      ...known,
      ...given,
      settings: { ...state.facts.settings, ...settings },
      ...(quiet !== undefined && { quietHours: quiet }),
    };
    if (isPlanned(state)) assertInOrder(facts);
    const keeping = { ownerId: facts.broadcastId, caller, requestId: context.resourceId };
    const isNew = isPlanned(state) && given.message !== undefined;
    const message = isNew ? await keptForDraft(this.#parts, facts.message, keeping) : facts.message;
    const command = { type: 'Change', facts: { ...facts, message }, at: this.#parts.clock.now() } as const;
    await this.#handle(facts, caller, context, command);
    return this.#shown(params.id);
  }

  async delete({ params, caller, context }: InputOf<typeof DeleteBroadcast>): Promise<void> {
    const { state } = await this.#find(params.id, caller);
    await this.#handle(state.facts, caller, context, { type: 'Delete', at: this.#parts.clock.now() });
  }

  async schedule({ params, body, caller, context }: InputOf<typeof ScheduleBroadcast>): Promise<Shown> {
    const { clock, runner } = this.#parts;
    const { state } = await this.#find(params.id, caller);
    const now = clock.now();
    const scheduledAt = Date.parse(body.scheduledAt);
    if (isPlanned(state)) {
      if (scheduledAt <= now) throw notDue('must be in the future');
      if (scheduledAt > now + longest) throw notDue('must be within 365 days');
    }
    await this.#handle(state.facts, caller, context, { type: 'Schedule', scheduledAt, at: now });
    clock.at(scheduledAt, () => runner.job.wake());
    return this.#shown(params.id);
  }

  async start({ params, caller, context }: InputOf<typeof StartBroadcast>): Promise<Shown> {
    const { clock, runner, starting } = this.#parts;
    const { state, row } = await this.#find(params.id, caller);
    // A repeat after a crash is answered with what the first try has done.
    if (!(context.repeated && state.status === 'running')) {
      if (state.status === 'paused')
        await this.#handle(state.facts, caller, context, { type: 'Resume', at: clock.now() });
      else
        await starting.start(
          row,
          state,
          { ...askedBy({ caller, context }), profileId: state.facts.profileId },
          context.appended,
        );
    }
    runner.job.wake();
    return this.#shown(params.id);
  }

  async pause({ params, caller, context }: InputOf<typeof PauseBroadcast>): Promise<Shown> {
    const { state } = await this.#find(params.id, caller);
    if (!(context.repeated && state.status === 'paused' && state.pausedReason === 'user'))
      await this.#handle(state.facts, caller, context, { type: 'Pause', at: this.#parts.clock.now() });
    return this.#shown(params.id);
  }

  async resume({ params, caller, context }: InputOf<typeof ResumeBroadcast>): Promise<Shown> {
    const { clock, runner } = this.#parts;
    const { state } = await this.#find(params.id, caller);
    if (!(context.repeated && state.status === 'running'))
      await this.#handle(state.facts, caller, context, { type: 'Resume', at: clock.now() });
    runner.job.wake();
    return this.#shown(params.id);
  }

  async cancel({ params, caller, context }: InputOf<typeof CancelBroadcast>): Promise<Shown> {
    const { clock, runner } = this.#parts;
    const { state, row } = await this.#find(params.id, caller);
    if (!(context.repeated && state.status === 'cancelled')) {
      const counts = await runner.counts(row);
      await this.#handle(state.facts, caller, context, { type: 'Cancel', counts, at: clock.now() });
    }
    return this.#shown(params.id);
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN */
  async get({ params, caller }: Pick<InputOf<typeof GetBroadcast>, 'params' | 'caller'>): Promise<Shown> {
    const { row, state } = await this.#find(params.id, caller);
    const [stats, forecast] = await Promise.all([
      this.#stats(row, state),
      this.#parts.forecasting.alongside(row, state),
    ]);
    return { ...shownBroadcast(row, state, stats), forecast };
  }

  async stats({ params, caller }: Pick<InputOf<typeof GetBroadcast>, 'params' | 'caller'>): Promise<ShownStats> {
    const { row, state } = await this.#find(params.id, caller);
    return this.#stats(row, state);
  }

  /** The newest first. @throws Refused FORBIDDEN */
  async list({ query, caller, context }: InputOf<typeof ListBroadcasts>): Promise<Page<Shown>> {
    const { records } = this.#parts;
    const { profileId, status, search } = query;
    if (profileId !== undefined) assertProfileAllowed(caller, profileId);
    const profileIds = profileId === undefined ? caller.profileIds : [profileId];
    const where = {
      ...(profileIds !== undefined && { profileId: { $in: [...profileIds] } }),
      ...(status !== undefined && { status }),
      ...(search !== undefined && { name: { $ilike: holding(search) } }),
    };
    const em = context.em();
    const page = await entityPage(em, BroadcastEntity, { where, order: whenMade, descending: true, query });
    const rows = await records.findAll(page.items.map(({ broadcastId }) => broadcastId));
    const shown = await Promise.all(
      page.items.map(async ({ broadcastId: id }) => {
        const { state } = await this.#parts.store.load(broadcastStream, id);
        const row = rows.get(id);
        // Deleted between the two reads.
        return row === undefined || !isKnown(state) ? [] : [shownBroadcast(row, state, await this.#stats(row, state))];
      }),
    );
    return { ...page, items: shown.flat(), total: await em.count(BroadcastEntity, where) };
  }

  async recipients({ params, query, caller }: InputOf<typeof ListBroadcastRecipients>) {
    const { row, state } = await this.#find(params.id, caller);
    return recipientsPage(this.#parts.sql, row, state, query);
  }

  async recipientsCsv({ params, query, caller }: InputOf<typeof ExportBroadcastRecipients>) {
    const { row, state } = await this.#find(params.id, caller);
    return recipientsCsv(this.#parts.sql, row, state, query);
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN; VALIDATION_ERROR when it has too many recipients */
  async forecast({ params, caller }: InputOf<typeof GetBroadcastForecast>): Promise<ShownForecast> {
    const { row, state } = await this.#find(params.id, caller);
    return this.#parts.forecasting.of(row, state);
  }

  async #stats(row: BroadcastRow, state: KnownBroadcast): Promise<ShownStats> {
    if (!row.has_variants) return shownStats(row);
    const variants = await this.#parts.sql.query<VariantRow>(
      'SELECT variant, sent, delivered, read, replied FROM variant_counts WHERE audience_id = $1',
      [row.audience_id],
    );
    return shownStats(row, shownVariants(state, variants));
  }

  async #find(id: string, caller: Caller): Promise<{ row: BroadcastRow; state: KnownBroadcast }> {
    const { records, store } = this.#parts;
    const row = await records.find(id);
    if (row === undefined || row.organization_id !== caller.organizationId) throw noSuch();
    assertProfileAllowed(caller, row.profile_id);
    const { state } = await store.load(broadcastStream, id);
    if (!isKnown(state)) throw noSuch();
    return { row, state };
  }

  async #shown(id: string): Promise<Shown> {
    const { records, store } = this.#parts;
    const [row, { state }] = await Promise.all([records.find(id), store.load(broadcastStream, id)]);
    if (row === undefined || !isKnown(state)) throw noSuch();
    return shownBroadcast(row, state, await this.#stats(row, state));
  }

  async #assertProfile(profileId: string, caller: Caller, context: RequestContext): Promise<void> {
    assertProfileAllowed(caller, profileId);
    const { organizationId } = caller;
    const { requestId, traceparent, deadline } = context;
    await this.#parts.ask(DescribeProfile, { organizationId, profileId }, { requestId, traceparent, deadline });
  }

  async #handle(
    facts: BroadcastFacts,
    caller: Caller,
    context: RequestContext,
    command: BroadcastCommand,
  ): Promise<Broadcast> {
    const metadata = { ...askedBy({ caller, context }), profileId: facts.profileId };
    const onAppended = context.appended;
    const { state } = await this.#parts.store.handle(broadcastStream, facts.broadcastId, command, {
      metadata,
      onAppended,
    });
    return state;
  }
}

const noSuch = (): Refused => new Refused('NOT_FOUND', 'There is no such broadcast.');
const notDue = (message: string): Refused => invalid([{ path: 'body.scheduledAt', message }]);

/** @throws Refused VALIDATION_ERROR naming the field */
function assertInOrder({ message, settings, quietHours }: BroadcastFacts): void {
  const faults = [...messageFaults(message)];
  if (settings.delayMin > settings.delayMax)
    faults.push({ path: 'body.settings.delayMin', message: 'must not be above delayMax' });
  if (quietHours !== undefined && quietHours.timezone !== 'recipient' && !isTimeZone(quietHours.timezone))
    faults.push({
      path: 'body.quietHours.timezone',
      message: 'must be `recipient` or the name of a time zone, such as Asia/Jakarta',
    });
  if (quietHours !== undefined && quietHours.from === quietHours.to)
    faults.push({ path: 'body.quietHours.to', message: 'must differ from `from`' });
  if (faults.length > 0) throw invalid(faults);
}
