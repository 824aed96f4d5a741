import { AcceptMessage, DescribeProfile, ReadSendingStates } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { isRefusal, Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { attending, type DueJob, type GoingOn, type ServiceTools } from '@messaging-gateway/service';
import { changesAt, isAwake, sleepsAt } from '../quiet-hours/quiet-hours.ts';
import type { Audience } from './audience.ts';
import type { BroadcastRecords, BroadcastRow } from './broadcast-records.ts';
import {
  broadcastStream,
  hasEnded,
  isKnown,
  type BroadcastCommand,
  type FailReason,
  type KnownBroadcast,
} from './broadcast.ts';
import type { SuppressionList } from './fixing.ts';
import { contentOf } from './message.ts';
import { rememberedMs } from './news.ts';
import { Outcomes } from './outcomes.ts';
import type { Candidate, Released } from './releasing.ts';

export interface RunnerParts {
  readonly store: EventStore;
  readonly records: BroadcastRecords;
  readonly audience: Audience;
  readonly suppressions: SuppressionList;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly clock: Clock;
  /** How long a broadcast waits for its profile's connection, milliseconds. */
  readonly timeToLive: number;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** A broadcast has come further. */
  readonly moved: (broadcast: GoingOn) => void;
  /** Starts a broadcast whose time has come. */
  readonly start: (row: BroadcastRow) => Promise<void>;
}

type Named = Pick<BroadcastRow, 'broadcast_id' | 'organization_id' | 'profile_id'>;
/** `done`: it went on. `rest`: something else will say when. */
type Step = 'done' | 'rest';

/** Time for which nobody else reaches for a broadcast that one replica goes on with, milliseconds. */
const leaseMs = 4_000;
/** A message on its way is asked for when nothing was heard of it for so long, milliseconds. */
const silenceMs = 5_000;
/** The others go on without a message whose outcome is not known, milliseconds. */
const unknownMs = 120_000;
/** How often a broadcast that waits for the daily limit looks whether it was raised, milliseconds. */
const limitLookMs = 4_000;
/** Messages of one broadcast that are sent before others have their turn; one when there are more of them than places. */
const turn = 50;

/**
 * Sends broadcasts, one message after the other: each enters its lane when the one before is settled and the delay has passed, so
 * that direct sends go in between. Every step is taken by one of several replicas, any of them, and can be taken again: a
 * message has the same id whoever sends it.
 *
 * @see docs/decisions/0748-broadcasts-step-by-step.md
 */
export class BroadcastRunner {
  readonly #parts: RunnerParts;
  /** Attends to broadcasts when it is time. */
  readonly job: DueJob;
  /** Outcomes of the messages. */
  readonly outcomes: Outcomes;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    const { audience, clock, records } = parts;
    this.job = attending({ name: 'broadcasts', clock, rows: records, attend: (row) => this.#attend(row) });
    this.outcomes = new Outcomes({ audience, clock, wake: () => this.job.wake() });
  }

  /** The profile is connected: what waits for that is looked at now. */
  async connected(profileId: string): Promise<void> {
    const { clock, records } = this.#parts;
    if (await records.wake(profileId, clock.now())) this.job.wake();
  }

  /** The account of the profile was restricted, or is not any more. */
  async restrictionChanged(profileId: string): Promise<void> {
    const { clock, records } = this.#parts;
    if (await records.review(profileId, clock.now())) this.job.wake();
  }

  /** The profile is gone: nothing of it will be sent. */
  async close(profileId: string): Promise<void> {
    for (const row of await this.#parts.records.openOf(profileId)) await this.fail(row, 'PROFILE_DELETED');
  }

  /** The organization is erased: nothing of it will be sent. */
  async closeAll(organizationId: string): Promise<void> {
    for (const row of await this.#parts.records.openOfOrganization(organizationId)) await this.fail(row, 'ERASED');
  }

  async fail(row: BroadcastRow, reason: FailReason): Promise<void> {
    await this.#tell(row, { type: 'Fail', reason, counts: await this.counts(row), at: this.#parts.clock.now() });
  }

  /** As they are now. */
  async counts(row: BroadcastRow): Promise<{ total: number; sent: number; failed: number }> {
    const { total, sent, failed } = (await this.#parts.records.find(row.broadcast_id)) ?? row;
    return { total, sent, failed };
  }

  async #attend(row: BroadcastRow): Promise<void> {
    const { clock, moved, records, start, store } = this.#parts;
    moved({ id: row.broadcast_id, organizationId: row.organization_id, profileId: row.profile_id });
    if (row.status === 'scheduled') return start(row);
    if (row.held_by !== null) {
      await this.#lookAfter(row, row.held_by);
      return;
    }
    const { state } = await store.load(broadcastStream, row.broadcast_id);
    if (!isKnown(state) || state.fixed === undefined || hasEnded(state.status) || state.pausedReason === 'user')
      return records.rest(row.broadcast_id);
    if (typeof state.fixed.message !== 'object') return this.fail(row, 'ERASED');
    // The pause is between messages: none comes after the last one.
    if (isSettled(row)) return this.#complete(row);
    const nextAt = notBefore(row);
    if (clock.now() < nextAt) {
      await records.lookAt(row.broadcast_id, nextAt);
      clock.at(nextAt, () => this.job.wake());
      return;
    }
    if (row.paused_reason === 'daily_limit' && !(await this.#hasRoom(row)))
      return records.lookAt(row.broadcast_id, clock.now() + limitLookMs);
    if (!(await this.#mayBegin(row))) return;
    await this.#sendSome(row, state);
  }

  /** A message is on its way: mostly somebody tells what becomes of it. */
  async #lookAfter(row: BroadcastRow, messageId: string): Promise<void> {
    const { audience, clock, records, store } = this.#parts;
    const released = await audience.byMessage(messageId);
    const now = clock.now();
    if (released === undefined) return records.lookAt(row.broadcast_id, now + leaseMs);
    if (released.status === 'unknown' && now - released.released_at.getTime() >= unknownMs) {
      await audience.letPass(row.broadcast_id, messageId, now);
      this.job.wake();
      return;
    }
    if (now - released.released_at.getTime() < silenceMs)
      return records.lookAt(row.broadcast_id, released.released_at.getTime() + silenceMs);
    const { state } = await store.load(broadcastStream, row.broadcast_id);
    if (!isKnown(state) || state.fixed === undefined) return records.rest(row.broadcast_id);
    if (typeof state.fixed.message !== 'object') return this.fail(row, 'ERASED');
    // Handed over again under the same id, it is accepted if that had not come to pass, and answered otherwise.
    if ((await this.#handOver(row, state, released)) === 'rest') return;
    if (await this.#mayBegin(row)) await records.lookAt(row.broadcast_id, now + silenceMs);
  }

  /** One message after the other, as long as nothing else is to be waited for. */
  async #sendSome(row: BroadcastRow, state: KnownBroadcast): Promise<void> {
    const { audience, clock, records } = this.#parts;
    const { quietHours, settings } = state.facts;
    const audienceId = state.fixed?.audienceId ?? '';
    let candidates: Candidate[] = [];
    for (let sent = 0; sent === 0 || (sent < turn && !this.job.isCrowded); sent += 1) {
      const now = clock.now();
      const isStillAwake = ({ zone }: Candidate): boolean => isAwake(quietHours, zone, now);
      candidates = candidates.filter(isStillAwake);
      if (candidates.length === 0) {
        const awake = row.zones.filter((zone) => isAwake(quietHours, zone, now));
        candidates = await audience.next(audienceId, awake, settings.batchSize);
      }
      const candidate = candidates.shift();
      if (candidate === undefined) return this.#nobodyNow(row, state);
      const step = await this.#send(row, state, candidate);
      if (step === 'rest') return;
    }
    await records.lookAt(row.broadcast_id, clock.now());
    this.job.wake();
  }

  /** Everybody who is left sleeps, or nobody is left. */
  async #nobodyNow(row: BroadcastRow, state: KnownBroadcast): Promise<void> {
    const { audience, clock, records } = this.#parts;
    const { broadcast_id: broadcastId } = row;
    const now = clock.now();
    const left = await audience.zonesLeft(state.fixed?.audienceId ?? '', row.zones);
    if (left.length > 0) {
      const until = Math.min(...left.map((zone) => changesAt(state.facts.quietHours, zone, now)));
      // Somebody has come back meanwhile, or no zone is ever awake: one looks again.
      const at = Number.isFinite(until) ? until : now + 60_000;
      if (left.some((zone) => isAwake(state.facts.quietHours, zone, now))) return records.lookAt(broadcastId, now);
      // The day of the limit begins at night: from now on it waits for the morning.
      if (row.paused_reason === 'daily_limit') await this.#goOnAfterLimit(row);
      await records.waitForMorning(broadcastId, at);
      clock.at(at, () => this.job.wake());
      return;
    }
    const current = await records.find(broadcastId);
    // What is on its way is settled first: then it is looked at again.
    if (current === undefined || current.open > 0) return records.lookAt(broadcastId, now + silenceMs);
    await this.#complete(current);
  }

  async #complete(row: BroadcastRow): Promise<void> {
    const { total, sent, failed } = row;
    await this.#tell(row, { type: 'Complete', counts: { total, sent, failed }, at: this.#parts.clock.now() });
  }

  async #send(row: BroadcastRow, state: KnownBroadcast, candidate: Candidate): Promise<Step> {
    const { audience, clock, random, suppressions } = this.#parts;
    const { broadcast_id: broadcastId, organization_id: organizationId } = row;
    const { delayMin, delayMax } = state.facts.settings;
    const { place } = candidate;
    const audienceId = state.fixed?.audienceId ?? '';
    // Deleted while the recipients were written down.
    if (candidate.jid === null) {
      await audience.leaveOut({ audienceId, place }, 'CONTACT_DELETED');
      return 'done';
    }
    if (await suppressions.isSuppressed(organizationId, candidate)) {
      await audience.leaveOut({ audienceId, place }, 'SUPPRESSED');
      return 'done';
    }
    const now = clock.now();
    const pauseMs = delayMin + Math.floor(random() * (delayMax - delayMin + 1));
    const released = await audience.release({ broadcastId, place, pauseMs, now, lookAt: now + leaseMs });
    if (released === undefined) return this.#isGone(row);
    const settled = this.outcomes.awaited(released.message_id);
    try {
      if ((await this.#handOver(row, state, released)) === 'rest') return 'rest';
      // With a delay there is time to let others go on; without one it is soon told.
      if (pauseMs > 0 || !(await settled.within(leaseMs / 2))) return 'rest';
      return 'done';
    } finally {
      settled.stop();
    }
  }

  /** Why nobody could be released: taken out, paused, ended, or another replica is at it. */
  async #isGone({ broadcast_id: broadcastId }: Named): Promise<Step> {
    const row = await this.#parts.records.find(broadcastId);
    if (row === undefined || row.held_by !== null) return 'rest';
    return row.status === 'running' || row.paused_reason === 'daily_limit' ? 'done' : 'rest';
  }

  /** @returns `rest` when the broadcast does not wait for this message any more, or stands still */
  async #handOver(row: BroadcastRow, state: KnownBroadcast, one: Released): Promise<Step> {
    const { ask, audience, clock } = this.#parts;
    const { organization_id: organizationId, profile_id: profileId } = row;
    const { facts, fixed } = state;
    const { message_id: messageId } = one;
    if (fixed === undefined) return 'rest';
    if (one.jid === null) {
      await this.outcomes.leaveOut(messageId);
      return 'done';
    }
    const { templateId, link } = fixed.message;
    const { type, content } = contentOf(fixed.message, { ...one, link }, one.variant);
    const sleeps = sleepsAt(facts.quietHours, one.zone, clock.now());
    try {
      const answer = await ask(AcceptMessage, {
        messageId,
        organizationId,
        profileId,
        to: one.jid,
        type,
        content,
        origin: 'broadcast',
        actor: facts.actor,
        ...(templateId !== undefined && { templateId }),
        attempts: 1 + (facts.settings.retryFailed ? facts.settings.retryAttempts : 0),
        ...(Number.isFinite(sleeps) && { expiresAt: new Date(sleeps).toISOString() }),
      });
      if (row.paused_reason === 'daily_limit') await this.#goOnAfterLimit(row);
      await this.outcomes.answered(messageId, answer);
      return 'done';
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code === 'DAILY_LIMIT_REACHED') {
        await audience.putBack(messageId);
        await this.#hitLimit(row, error);
        return 'rest';
      }
      const held = holdOf(error);
      if (held !== undefined) {
        await audience.putBack(messageId);
        await this.#hold(row, held.reason, held.until);
        return 'rest';
      }
      if (error.code === 'NOT_FOUND') {
        await audience.putBack(messageId);
        await this.fail(row, 'PROFILE_DELETED');
        return 'rest';
      }
      const { code, message } = error;
      await this.outcomes.settled(messageId, {
        status: 'failed',
        attempts: 0,
        error: { code, message },
        at: clock.now(),
      });
      return 'done';
    }
  }

  async #goOnAfterLimit(row: Named): Promise<void> {
    const { clock, store } = this.#parts;
    const { state } = await store.load(broadcastStream, row.broadcast_id);
    if (isKnown(state) && state.pausedReason === 'daily_limit')
      await this.#tell(row, { type: 'Resume', at: clock.now() });
  }

  async #hitLimit(row: BroadcastRow, { details }: Refused): Promise<void> {
    const { clock, records } = this.#parts;
    const { resetAt } = (details ?? {}) as { resetAt?: string };
    const resumesAt = resetAt === undefined ? clock.now() : Date.parse(resetAt);
    await this.#tell(row, { type: 'HitLimit', resumesAt, at: clock.now() });
    await records.lookAt(row.broadcast_id, clock.now() + limitLookMs);
  }

  /** The limit was raised, or it is another day. */
  async #hasRoom({
    organization_id: organizationId,
    profile_id: profileId,
    resumes_at,
  }: BroadcastRow): Promise<boolean> {
    const { ask, clock } = this.#parts;
    if (resumes_at !== null && clock.now() >= resumes_at.getTime()) return true;
    const { items } = await ask(ReadSendingStates, { organizationId, profileIds: [profileId] });
    const [state] = items;
    return state === undefined || state.dailyMessageLimit === null || state.dailyMessageCount < state.dailyMessageLimit;
  }

  /** @returns false: it waits for the connection or for the end of a restriction, or has ended */
  async #mayBegin(row: BroadcastRow): Promise<boolean> {
    const { ask, clock, records, timeToLive } = this.#parts;
    const { organization_id: organizationId, profile_id: profileId } = row;
    try {
      const { status, restriction } = await ask(DescribeProfile, { organizationId, profileId });
      if (restriction !== undefined) {
        await this.#hold(row, 'restricted', restriction.until);
        return false;
      }
      if (status === 'connected') return true;
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'NOT_FOUND')) throw error;
      await this.fail(row, 'PROFILE_DELETED');
      return false;
    }
    const since = row.waiting_since === null ? Infinity : Math.max(row.waiting_since.getTime(), this.job.startedAt);
    // There is room again: from now on it waits for the connection.
    if (row.paused_reason === 'daily_limit') await this.#goOnAfterLimit(row);
    if (clock.now() - since >= timeToLive) await this.fail(row, 'NOT_CONNECTED');
    else await records.waitForConnection(row.broadcast_id, clock.now());
    return false;
  }

  /** Holds a broadcast while its profile may not write to strangers. @param until ISO 8601; null: not known */
  async #hold(row: BroadcastRow, reason: Held['reason'], until: string | null): Promise<void> {
    const { clock, records } = this.#parts;
    const end = until === null ? Infinity : Date.parse(until);
    if (row.paused_reason === 'daily_limit') await this.#goOnAfterLimit(row);
    await records.waitForStrangers(row.broadcast_id, reason, end, clock.now());
    if (Number.isFinite(end)) clock.at(end, () => this.job.wake());
  }

  async #tell(
    { broadcast_id, profile_id: profileId, organization_id: organizationId }: Named,
    command: BroadcastCommand,
  ) {
    const metadata = {
      organizationId,
      profileId,
      subject: `organization:${organizationId}`,
      actor: 'service:campaigns',
    };
    await this.#parts.store.handle(broadcastStream, broadcast_id, command, { metadata });
  }
}

interface Held {
  readonly reason: 'restricted' | 'stranger_limit';
  /** ISO 8601; null: not known. */
  readonly until: string | null;
}

/** Why a message to a stranger was refused; undefined for other refusals. */
function holdOf({ code, details }: Refused): Held | undefined {
  const { until = null, limit, resetAt = null } = (details ?? {}) as {
    until?: string | null;
    limit?: string;
    resetAt?: string;
  };
  if (code === 'PROFILE_RESTRICTED') return { reason: 'restricted', until };
  return code === 'RATE_LIMITED' && limit === 'strangers' ? { reason: 'stranger_limit', until: resetAt } : undefined;
}

/** The next message goes no sooner; the first one with variants when every replica knows that answers to it count. */
const notBefore = ({ next_at, has_variants, started_at }: BroadcastRow): number =>
  Math.max(next_at?.getTime() ?? 0, has_variants ? (started_at?.getTime() ?? 0) + rememberedMs : 0);

/** Everybody has got it, or will not. */
const isSettled = ({ total, sent, failed, skipped, open }: BroadcastRow): boolean =>
  open === 0 && sent + failed + skipped === total;
