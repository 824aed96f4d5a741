import {
  type AnswerOf,
  ApplySendingPolicy,
  type BodyOf,
  type Caller,
  type CreateProfile,
  type DescribeProfile,
  type GetProfile,
  type Page,
  ReadSendingStates,
  type UpdateProfile,
} from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import {
  actorOf,
  type InputOf,
  type OperationInput,
  type RequestContext,
  type ServiceTools,
} from '@messaging-gateway/service';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { Accounts } from '../accounts/accounts.ts';
import type { SessionsSettings } from '../config.ts';
import type { Engines } from '../engine/engines.ts';
import { type HealthRecord, readHealth } from './health-table.ts';
import { readAccount } from '../accounts/account-table.ts';
import { handoverMinutesStream } from './handover-minutes.ts';
import { nextDay } from './limit-day.ts';
import {
  callersProfile,
  countProfiles,
  findProfile,
  profileNotFound,
  listProfiles,
  type ProfileFilters,
  type ProfileRecord,
} from './profile-table.ts';
import { type ProfileCommand, profileStream } from './profile.ts';
import { quotaRefusal, withinQuota } from './quotas.ts';
import {
  type LimitsRecord,
  readSendingLimits,
  type SendingLimitsCommand,
  sendingLimitsStream,
  strangersPerDay,
} from './sending-limits.ts';

export type ShownProfile = Static<NonNullable<(typeof GetProfile)['answers'][200]['body']>>;

export interface ProfilesParts {
  readonly tools: ServiceTools<SessionsSettings>;
  readonly accounts: Accounts;
  readonly engines: Engines;
}

/** Profiles as resources: what they are called and how they send. */
export class Profiles {
  readonly #parts: ProfilesParts;

  constructor(parts: ProfilesParts) {
    this.#parts = parts;
  }

  async read(caller: Caller, id: string, accountId?: string) {
    const row = await callersProfile(this.#parts.tools.sql, caller, id, accountId);
    const { tools } = this.#parts;
    const [states, healthOf, limitsOf] = await Promise.all([
      sendingStates(tools, caller.organizationId, [id]),
      readHealth(tools.sql, [id], tools.clock.now()),
      readSendingLimits(tools.sql, [id]),
    ]);
    return this.#show(row, states.get(id) as SendingState, healthOf(id), limitsOf(id));
  }

  /** For other services, of any profile of the organization. */
  async describe({
    organizationId,
    profileId,
  }: BodyOf<typeof DescribeProfile>): Promise<AnswerOf<typeof DescribeProfile>> {
    const row = await findProfile(this.#parts.tools.sql, organizationId, profileId);
    if (row === undefined) throw profileNotFound();
    const { sql, clock } = this.#parts.tools;
    const now = clock.now();
    const [healthOf, limitsOf] = await Promise.all([readHealth(sql, [profileId], now), readSendingLimits(sql, [profileId])]);
    const { restriction } = healthOf(profileId);
    const strangers = strangersPerDay(limitsOf(profileId), now);
    return {
      profileId,
      status: row.status,
      ...(row.status_reason !== null && { statusReason: row.status_reason }),
      ...(row.phone_number !== null && { phoneNumber: row.phone_number }),
      handoverMinutes: row.handover_minutes,
      ...(restriction && { restriction }),
      ...(strangers !== undefined && { strangersPerDay: strangers }),
    };
  }

  async list(caller: Caller, filters: ProfileFilters): Promise<Page<ShownProfile>> {
    const { tools } = this.#parts;
    const { items, ...rest } = await listProfiles(tools.sql, caller, filters);
    const ids = items.map(({ id }) => id);
    const [states, healthOf, limitsOf] = await Promise.all([
      sendingStates(tools, caller.organizationId, ids),
      readHealth(tools.sql, ids, tools.clock.now()),
      readSendingLimits(tools.sql, ids),
    ]);
    const show = (row: ProfileRecord): ShownProfile =>
      this.#show(row, states.get(row.id) as SendingState, healthOf(row.id), limitsOf(row.id));
    return { ...rest, items: items.map(show) };
  }

  /** @throws Refused NOT_FOUND when there is no such account */
  async listOf(caller: Caller, accountId: string, filters: ProfileFilters) {
    await readAccount(this.#parts.tools.sql, caller.organizationId, accountId);
    return this.list(caller, { ...filters, accountId });
  }

  /**
   * Outbound takes delay and limit first: without it nothing is made, and no profile is ever there without its gate.
   *
   * @throws Refused SERVICE_UNAVAILABLE when outbound is away
   */
  async create(
    accountId: string | undefined,
    { body, caller, context }: OperationInput<Omit<BodyOf<typeof CreateProfile>, 'accountId'>>,
  ) {
    const { tools, accounts, engines } = this.#parts;
    const { name, engine, messageDelayMs, dailyMessageLimit, handoverMinutes } = body;
    if (caller.profileIds !== undefined) throw new Refused('FORBIDDEN', 'This API key is limited to other profiles.');
    const account =
      accountId === undefined
        ? await accounts.ensureDefault(caller.organizationId, undefined, context)
        : await accountFor(tools, caller, accountId);
    engines.of(engine ?? engines.defaultKind);
    const profileId = context.resourceId;
    await this.#assertBelowQuota(caller.organizationId, profileId);
    await tools.ask(
      ApplySendingPolicy,
      { organizationId: caller.organizationId, profileId, ...given({ messageDelayMs, dailyMessageLimit }) },
      { requestId: context.requestId, traceparent: context.traceparent },
    );
    await this.#setHandoverMinutes({ profileId, minutes: handoverMinutes, atFirst: true }, caller, context);
    await this.#setSendingLimits(profileId, body, caller, context);
    const { profileQuota } = tools.settings;
    const { outcome } = await tools.store.handle(
      profileStream,
      profileId,
      { type: 'CreateProfile', profileId, ...account, name, engine, at: this.#now() },
      {
        ...profileOptions(profileId, caller, context),
        ...withinQuota('profiles', profileQuota, { organizationId: caller.organizationId, profileId }),
      },
    );
    if (outcome === 'guarded') throw quotaRefusal('profiles', profileQuota);
    return this.read(caller, profileId);
  }

  async update({ params: { id }, body, caller, context }: InputOf<typeof UpdateProfile>) {
    const { tools } = this.#parts;
    await callersProfile(tools.sql, caller, id);
    const policy = given({ messageDelayMs: body.messageDelayMs, dailyMessageLimit: body.dailyMessageLimit });
    const areLimitsSet = await this.#setSendingLimits(id, body, caller, context);
    // The send gate reads the limits for strangers again.
    if (areLimitsSet || Object.keys(policy).length > 0)
      await tools.ask(
        ApplySendingPolicy,
        { organizationId: caller.organizationId, profileId: id, ...policy },
        { requestId: context.requestId, traceparent: context.traceparent, raised: context.raised },
      );
    await this.#setHandoverMinutes({ profileId: id, minutes: body.handoverMinutes }, caller, context);
    if (body.name !== undefined)
      await this.#handle(id, { type: 'RenameProfile', name: body.name, at: this.#now() }, caller, context);
    return this.read(caller, id);
  }

  /**
   * The account's address book on the network: no engine of this installation can write to it.
   *
   * @throws Refused NOT_FOUND, FORBIDDEN, and ENGINE_UNSUPPORTED for every profile that there is
   */
  async writeAddressBook(caller: Caller, profileId: string): Promise<never> {
    const { tools, engines } = this.#parts;
    const { engine } = await callersProfile(tools.sql, caller, profileId);
    throw new Refused('ENGINE_UNSUPPORTED', `The ${engine ?? engines.defaultKind} has no address book.`);
  }

  /** Before outbound hears of it. The append looks again. @throws Refused QUOTA_REACHED */
  async #assertBelowQuota(organizationId: string, profileId: string): Promise<void> {
    const { sql, settings } = this.#parts.tools;
    if (settings.profileQuota === 0) return;
    const count = await countProfiles(sql, organizationId, profileId);
    if (count >= settings.profileQuota) throw quotaRefusal('profiles', settings.profileQuota);
  }

  async #handle(id: string, command: ProfileCommand, caller: Caller, context: RequestContext): Promise<void> {
    await this.#parts.tools.store.handle(profileStream, id, command, profileOptions(id, caller, context));
  }

  /** @returns whether any was given */
  async #setSendingLimits(
    profileId: string,
    { strangerDailyLimit, warmup, numberChecksPerDay }: SendingLimitsCommand['changes'],
    caller: Caller,
    context: RequestContext,
  ): Promise<boolean> {
    const changes = given({ strangerDailyLimit, warmup, numberChecksPerDay });
    if (Object.keys(changes).length === 0) return false;
    const command = { type: 'SetSendingLimits', profileId, changes } as const;
    await this.#parts.tools.store.handle(sendingLimitsStream, profileId, command, profileOptions(profileId, caller, context));
    return true;
  }

  async #setHandoverMinutes(
    { minutes, ...asked }: { profileId: string; minutes: number | undefined; atFirst?: boolean },
    caller: Caller,
    context: RequestContext,
  ): Promise<void> {
    const { store } = this.#parts.tools;
    const { profileId } = asked;
    const options = profileOptions(profileId, caller, context);
    if (minutes !== undefined)
      await store.handle(handoverMinutesStream, profileId, { type: 'SetHandoverMinutes', ...asked, minutes }, options);
  }

  #show(
    row: ProfileRecord,
    { messageDelayMs, dailyMessageLimit, dailyMessageCount, dailyResetAt }: SendingState,
    { restriction }: HealthRecord,
    { limits }: LimitsRecord,
  ): ShownProfile {
    return {
      id: row.id,
      accountId: row.account_id,
      workspaceId: row.workspace_id,
      name: row.name,
      phoneNumber: row.phone_number,
      pushName: row.push_name,
      status: row.status,
      statusReason: row.status_reason as ShownProfile['statusReason'],
      engine: row.engine ?? this.#parts.engines.defaultKind,
      messageDelayMs,
      dailyMessageLimit,
      dailyMessageCount,
      dailyResetAt,
      handoverMinutes: row.handover_minutes,
      restriction: restriction ?? null,
      ...limits,
      lastConnectedAt: row.last_connected_at?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    };
  }

  #now(): string {
    return new Date(this.#parts.tools.clock.now()).toISOString();
  }
}

async function accountFor(
  tools: ProfilesParts['tools'],
  caller: Caller,
  accountId: string,
): Promise<{ accountId: string; workspaceId: string }> {
  const { workspaceId } = await readAccount(tools.sql, caller.organizationId, accountId);
  return { accountId, workspaceId };
}

/** How a change of a profile by a caller is noted. */
export const profileOptions = (profileId: string, caller: Caller, context: RequestContext) => ({
  metadata: {
    organizationId: caller.organizationId,
    profileId,
    subject: `organization:${caller.organizationId}`,
    requestId: context.requestId,
    actor: actorOf(caller),
    ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
  },
  onAppended: context.appended,
});

/** The fields that were given, without those that are absent. */
const given = <Fields extends object>(fields: Fields): { [K in keyof Fields]?: Exclude<Fields[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof Fields]?: Exclude<Fields[K], undefined>;
  };

export type SendingState = AnswerOf<typeof ReadSendingStates>['items'][number];

/** The sending state of a profile that outbound does not know yet. */
function untouched(profileId: string, now: number): SendingState {
  return {
    profileId,
    messageDelayMs: 1500,
    dailyMessageLimit: null,
    dailyMessageCount: 0,
    dailyResetAt: new Date(nextDay(now)).toISOString(),
  };
}

/** The counters of some profiles, by id: one question for all of them. */
async function sendingStates(
  { ask, clock }: { ask: ServiceTools<unknown>['ask']; clock: Clock },
  organizationId: string,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, SendingState>> {
  if (profileIds.length === 0) return new Map();
  const { items } = await ask(ReadSendingStates, { organizationId, profileIds: [...profileIds] });
  const known = new Map(items.map((item) => [item.profileId, item]));
  return new Map(profileIds.map((id) => [id, known.get(id) ?? untouched(id, clock.now())]));
}
