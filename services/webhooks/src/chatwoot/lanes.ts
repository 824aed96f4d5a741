import { Breakers, type Clock, type Logger, settledWithin } from '@messaging-gateway/runtime';
import { attending, type DueJob, type Running, type Sql } from '@messaging-gateway/service';
import { isFor, type Bridges } from './bridges.ts';
import { ChatwootFailed, isOutage } from './client.ts';
import { joinLane } from './joining.ts';
import type { Ended, Lane, Outbox, Waiting } from './outbox.ts';
import { isRefused, post, type PostingParts } from './posting.ts';
import { LaneGone } from './remote.ts';
import type { Inbox } from './settings.ts';

export interface LanesParts extends PostingParts {
  readonly bridges: Bridges;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sql: Sql;
}

/** Other processes take a chat up when nobody has gone on with it for so long, milliseconds. */
const leaseMs = 4_000;
/** Of one organization at the same time: a Chatwoot that hangs holds up nobody else. */
const mostOfOne = 8;
const noPlaceMs = 250;
/** So many of a chat before others have their turn. */
const inOneTurn = 20;
const [firstPauseMs, longestPauseMs] = [1_000, 300_000];
/** A message that Chatwoot refuses for so long is given up, milliseconds: those behind it go on. */
const patienceMs = 86_400_000;
/** Chats whose Chatwoot rests are looked at so late at most, milliseconds. */
const longestRestMs = 60_000;
const patienceAtStopMs = 2_000;
/** That it goes well is written down so often at most, milliseconds. */
const notedMs = 1_000;

interface Health {
  inHand: number;
  /** More of its chats may be due than it has places. */
  isCrowded: boolean;
  /** Nothing is posted before: it has failed again and again. */
  restsUntil: number;
  /** When it was last written down that it goes well; after a failure at once. */
  notedAt: number;
}

/** An organization's Chatwoot has failed again and again, and is left alone. */
class Resting extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super('Chatwoot rests.');
    this.ms = ms;
  }
}

/** Works off the lines of chats: each in its order, many at once, with a breaker for each organization. */
export class Lanes implements Running {
  readonly #parts: LanesParts;
  readonly #health = new Map<string, Health>();
  readonly #inHand = new Map<string, Promise<void>>();
  readonly #breakers = new Breakers({
    isNoFault: (error) => !isOutage(error),
    whenOpen: (restSeconds) => new Resting(restSeconds * 1000),
  });
  #stopping = false;
  readonly job: DueJob;

  constructor(parts: LanesParts) {
    this.#parts = parts;
    const rows = { claim: (now: number, limit: number) => this.#claim(now, limit) };
    this.job = attending({ name: 'chatwoot', clock: parts.clock, rows, attend: (lane) => this.#attend(lane) });
  }

  async start(): Promise<void> {
    this.#stopping = false;
  }

  /** What hangs is given up: whoever goes on with it looks whether it has arrived. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const ended = Promise.all(this.#inHand.values());
    if (!(await settledWithin(patienceAtStopMs, ended))) await this.#parts.client.close();
    await ended;
    this.#breakers.stop();
  }

  /** Of each organization no more than it has places for: the others wait untouched. */
  async #claim(now: number, limit: number): Promise<readonly Lane[]> {
    const places = new Map<string, number>();
    for (const [organizationId, { inHand }] of this.#health)
      if (inHand > 0) places.set(organizationId, mostOfOne - inHand);
    const lanes = await this.#parts.outbox.claim(now, limit, { usual: mostOfOne, of: places });
    const claimed = Map.groupBy(lanes, ({ organization_id }) => organization_id);
    for (const organizationId of new Set([...places.keys(), ...claimed.keys()])) {
      const count = claimed.get(organizationId)?.length ?? 0;
      this.#of(organizationId).isCrowded = count >= (places.get(organizationId) ?? mostOfOne);
    }
    return lanes;
  }

  async #attend(lane: Lane): Promise<void> {
    const { clock, outbox, log } = this.#parts;
    const { conversation_id: id, organization_id: organizationId } = lane;
    if (this.#inHand.has(id) || this.#stopping) return;
    const health = this.#of(organizationId);
    const now = clock.now();
    if (health.restsUntil > now) return this.#rest(lane, health);
    if (health.inHand >= mostOfOne) return outbox.later(lane, now + noPlaceMs, lane.attempts);
    health.inHand += 1;
    // Others have their turn meanwhile.
    const work = this.#workOff(lane, health)
      .catch((error: unknown) => log.warn('A chat was not bridged', { conversationId: id, error: String(error) }))
      .finally(() => {
        health.inHand -= 1;
        this.#inHand.delete(id);
        if (health.isCrowded && health.inHand <= mostOfOne / 2) {
          health.isCrowded = false;
          this.job.wake();
        }
      });
    this.#inHand.set(id, work);
  }

  async #workOff(given: Lane, health: Health): Promise<void> {
    const { bridges, clock, outbox, sql } = this.#parts;
    const stopRenewing = this.#keep(given);
    try {
      const bridge = await bridges.of(given.organization_id);
      const { inbox } = bridge;
      const isOpen = inbox !== undefined && isFor(bridge, given.profile_id);
      let ended: Ended | undefined;
      for (let count = 0; count < inOneTurn && !this.#stopping; count += 1) {
        const found = await outbox.first(given.conversation_id, ended);
        ended = undefined;
        if (found === undefined) return;
        const { lane, waiting } = found;
        if (waiting === undefined) {
          stopRenewing();
          if (await outbox.rest(lane, lane.told)) return;
          break;
        }
        const into = lane.joined_into ?? (waiting.told.kind === 'joined' ? waiting.told.data.into : undefined);
        if (into !== undefined && into !== lane.conversation_id) await joinLane(sql, lane, into, clock.now());
        else {
          // What waits for a bridge that was taken away is for nobody.
          ended = isOpen ? await this.#one(lane, waiting, inbox, health) : { waiting };
          if (ended === undefined) return;
        }
      }
      if (ended !== undefined) await outbox.end(given, ended);
      stopRenewing();
      await outbox.later(given, clock.now(), 0);
      this.job.wake();
    } finally {
      stopRenewing();
    }
  }

  /** @returns undefined: it waits for its next try */
  async #one(lane: Lane, waiting: Waiting, inbox: Inbox, health: Health): Promise<Ended | undefined> {
    const { clock, log, outbox } = this.#parts;
    try {
      const breaker = `${inbox.organizationId} ${inbox.url}`;
      const made = await this.#breakers.run(breaker, () => post(this.#parts, inbox, lane, waiting));
      await this.#went(lane, health);
      return { waiting, made };
    } catch (error) {
      const now = clock.now();
      if (error instanceof LaneGone) return undefined;
      if (error instanceof Resting) {
        health.restsUntil = now + error.ms;
        await outbox.untried(waiting);
        await this.#rest(lane, health);
        return undefined;
      }
      if (!(error instanceof ChatwootFailed)) throw error;
      if (this.#stopping) return this.#wait(lane, now, lane.attempts);
      await this.#failed(lane, error, health, now);
      if (isRefused(error) && now - waiting.createdAt.getTime() > patienceMs) {
        log.warn('Chatwoot refuses a message', { conversationId: lane.conversation_id, reason: error.word });
        return { waiting };
      }
      const pause = Math.min(firstPauseMs * 2 ** Math.min(lane.attempts, 20), longestPauseMs);
      return this.#wait(lane, now + pause, lane.attempts + 1);
    }
  }

  async #wait(lane: Lane, until: number, attempts: number): Promise<undefined> {
    const { clock, outbox } = this.#parts;
    await outbox.later(lane, until, attempts);
    clock.at(until, () => this.job.wake());
    return undefined;
  }

  /** Chats of a Chatwoot that is away for long are looked at less often: there may be many. */
  #rest(lane: Lane, { restsUntil }: Health): Promise<void> {
    const { clock, outbox } = this.#parts;
    const pause = Math.min(firstPauseMs * 2 ** Math.min(lane.attempts, 20), longestRestMs);
    return outbox.later(lane, Math.max(restsUntil, clock.now() + pause), lane.attempts + 1);
  }

  async #went({ organization_id }: Lane, health: Health): Promise<void> {
    const now = this.#parts.clock.now();
    if (now - health.notedAt < notedMs) return;
    health.notedAt = now;
    await this.#parts.sql.query('UPDATE chatwoot_bridges SET last_success_at = $2 WHERE organization_id = $1', [
      organization_id,
      new Date(now),
    ]);
  }

  async #failed({ organization_id }: Lane, error: ChatwootFailed, health: Health, now: number): Promise<void> {
    health.notedAt = -Infinity;
    await this.#parts.sql.query(
      'UPDATE chatwoot_bridges SET last_error_at = $2, last_error = $3 WHERE organization_id = $1',
      [organization_id, new Date(now), error.word],
    );
  }

  #of(organizationId: string): Health {
    const known = this.#health.get(organizationId) ?? {
      inHand: 0,
      isCrowded: false,
      restsUntil: 0,
      notedAt: -Infinity,
    };
    this.#health.set(organizationId, known);
    return known;
  }

  /** Keeps others from taking a chat up as long as this process is at it. */
  #keep(lane: Lane): () => void {
    const { clock, outbox } = this.#parts;
    let isOver = false;
    let cancel = (): void => undefined;
    const renew = (): void => {
      if (isOver) return;
      outbox.hold(lane, clock.now() + leaseMs).catch(() => undefined);
      cancel = clock.at(clock.now() + leaseMs / 2, renew);
    };
    cancel = clock.at(clock.now() + leaseMs / 2, renew);
    return () => {
      isOver = true;
      cancel();
    };
  }
}
