import type { QuietHoursOf } from '@messaging-gateway/contracts';
import { Crowd, type ZoneCount } from './crowd.ts';
import { beginOf, dateOf, limitDay } from './days.ts';
import { paceAlone, pacesTogether, type Delays, type Gate } from './pace.ts';

/** A broadcast that sends, or will. */
export interface Sending extends Delays {
  readonly quietHours?: QuietHoursOf | undefined;
  readonly zones: readonly ZoneCount[];
  /** Earliest time of the next message, milliseconds since 1970. */
  readonly readyAt: number;
}

export interface ForecastFacts extends Gate {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly own: Sending;
  /** Of its messages, those that are on their way already: they have their place in the limit of the day. */
  readonly onTheWay: number;
  /** Other broadcasts of the same profile. */
  readonly rivals: readonly Sending[];
  /** Messages of the profile a day; null: as many as there are. */
  readonly dailyLimit: number | null;
  /** Of them, sent or on their way today. */
  readonly usedToday: number;
  readonly isConnected: boolean;
}

const reasons = ['delays', 'daily_limit', 'quiet_hours', 'not_connected', 'broadcasts'] as const;
type Reason = (typeof reasons)[number];

export interface Forecast {
  readonly remaining: number;
  /** Milliseconds since 1970; undefined: as things are it never ends, or not within ten years. */
  readonly endsAt: number | undefined;
  readonly days: readonly { readonly date: string; readonly messages: number }[];
  /** In the order of `reasons`. */
  readonly heldUpBy: readonly Reason[];
}

const dayMs = 24 * 3_600_000;
/** Days that are gone through one event after the other; each later one is like that of the week before. */
const closelyDays = 60;
/** More of them, at most, when others share the limit. */
const mostShared = 300;
const longestDays = 3660;
const week = 7;
/** A slower pace than that is by others. */
const noticeable = 1.01;

/** A broadcast on its way through time. */
interface Party extends Delays {
  readonly crowd: Crowd;
  readonly startsAt: number;
  readyAt: number;
}

/** One that sends now. */
interface Turn {
  readonly party: Party;
  readonly pace: number;
  /** Number of recipients who are awake. */
  readonly most: number;
}

/**
 * When a broadcast will have ended, and how many messages go out on which day, if nothing else is sent meanwhile: as if its profile
 * were connected from now on. It walks from one event to the next (somebody wakes or falls asleep, a limit begins anew, a broadcast
 * has nobody left) and reckons how many messages go between; what it costs does not depend on the number of recipients.
 */
export const forecast = (facts: ForecastFacts): Forecast => new Walk(facts).result();

class Walk {
  readonly #facts: ForecastFacts;
  readonly #own: Party;
  readonly #parties: readonly Party[];
  /** Up to which time it is walked; a day begins then. */
  readonly #horizon: number;
  /** Messages by `limitDay`, in order. */
  readonly #days = new Map<number, number>();
  readonly #reasons = new Set<Reason>();
  #now: number;
  /** When the last message went. */
  #lastAt: number;
  /** Messages that the limit of the day leaves. */
  #room: number;
  /** Whether other broadcasts have had some of it. */
  #isShared = false;

  constructor(facts: ForecastFacts) {
    const { now, own, rivals, onTheWay, usedToday } = facts;
    this.#facts = facts;
    // Others may have all of the limit as long as they last.
    const theirs = rivals.flatMap(({ zones }) => zones).reduce((sum, { count }) => sum + count, 0);
    const shared = Math.min(Math.ceil(theirs / Math.max(this.#limit, 1)), mostShared);
    this.#horizon = beginOf(limitDay(Math.max(own.readyAt, now)) + closelyDays + shared);
    const within = { from: now, until: this.#horizon + dayMs };
    const party = ({ delayMin, delayMax, quietHours, zones, readyAt }: Sending): Party => ({
      delayMin,
      delayMax,
      startsAt: Math.max(readyAt, now),
      readyAt: Math.max(readyAt, now),
      crowd: new Crowd(zones, quietHours, within),
    });
    this.#own = party(own);
    this.#parties = [this.#own, ...rivals.map(party)];
    this.#now = now;
    this.#lastAt = now;
    this.#room = this.#limit - Math.min(usedToday, this.#limit);
    if (onTheWay > 0) this.#days.set(limitDay(now), onTheWay);
  }

  get #limit(): number {
    return this.#facts.dailyLimit ?? Infinity;
  }

  result(): Forecast {
    const { onTheWay, own, isConnected, sendMs } = this.#facts;
    const { crowd } = this.#own;
    const remaining = crowd.left + onTheWay;
    if (remaining === 0) return { remaining, endsAt: undefined, days: [], heldUpBy: [] };
    if (!isConnected) this.#reasons.add('not_connected');
    if (remaining > 1 && paceAlone(own, this.#facts) > sendMs + 1) this.#reasons.add('delays');
    while (crowd.left > 0 && this.#now < this.#horizon) this.#step();
    const endsAt = crowd.left === 0 ? this.#lastAt + sendMs : this.#goOnWeekly(crowd.left);
    const days = [...this.#days].map(([day, messages]) => ({ date: dateOf(day), messages }));
    return { remaining, endsAt, days, heldUpBy: reasons.filter((reason) => this.#reasons.has(reason)) };
  }

  /** Goes on to the next event. */
  #step(): void {
    const now = this.#now;
    const own = this.#own;
    const resetsAt = beginOf(limitDay(now) + 1);
    if (this.#room === 0) {
      if (own.crowd.wakesBefore(Math.max(now, own.readyAt), resetsAt)) {
        this.#reasons.add('daily_limit');
        if (this.#isShared) this.#reasons.add('broadcasts');
      }
      this.#goTo(resetsAt);
      return;
    }
    const left = this.#parties.filter(({ crowd }) => crowd.left > 0);
    const begun = left.filter(({ startsAt }) => startsAt <= now);
    const awake = begun.filter(({ crowd }) => crowd.awakeAt(now) > 0);
    if (begun.includes(own) && !awake.includes(own)) this.#reasons.add('quiet_hours');
    const turns = this.#turns(awake);
    // The pace of the others changes when one begins, or has nobody left.
    const begins = left.map(({ startsAt }) => startsAt).filter((startsAt) => startsAt > now);
    const changes = begun.map(({ crowd }) => crowd.changesAt(now));
    const ends = turns.map(({ party, pace, most }) => Math.max(party.readyAt, now) + (most - 1) * pace + 1);
    this.#send(turns, Math.min(resetsAt, ...begins, ...changes, ...ends));
  }

  #turns(awake: readonly Party[]): Turn[] {
    const paces = pacesTogether(awake, this.#facts);
    const own = awake.indexOf(this.#own);
    if (own !== -1 && (paces[own] ?? 0) > noticeable * paceAlone(this.#own, this.#facts))
      this.#reasons.add('broadcasts');
    return awake.map((party, index) => ({
      party,
      pace: paces[index] ?? 1,
      most: party.crowd.awakeAt(this.#now),
    }));
  }

  /** Sends messages until a time, or until the limit of the day is reached. */
  #send(turns: readonly Turn[], until: number): void {
    const end = this.#endOfRoom(turns, until);
    for (const turn of turns) {
      const { party, pace } = turn;
      const count = Math.min(this.#countOf(turn, end), this.#room);
      if (count === 0) continue;
      const first = Math.max(party.readyAt, this.#now);
      party.crowd.take(count, this.#now);
      party.readyAt = first + count * pace;
      this.#room -= count;
      if (party !== this.#own) {
        this.#isShared = true;
        continue;
      }
      this.#lastAt = first + (count - 1) * pace;
      const day = limitDay(this.#now);
      this.#days.set(day, (this.#days.get(day) ?? 0) + count);
    }
    this.#goTo(end);
  }

  /** Messages of one before a time. */
  #countOf({ party, pace, most }: Turn, until: number): number {
    const first = Math.max(party.readyAt, this.#now);
    return Math.min(most, Math.max(0, Math.ceil((until - first) / pace)));
  }

  /** The time itself, or before it the first at which nothing more may go that day. */
  #endOfRoom(turns: readonly Turn[], until: number): number {
    const total = (time: number): number => turns.reduce((sum, turn) => sum + this.#countOf(turn, time), 0);
    if (total(until) <= this.#room) return until;
    let [low, high] = [this.#now, until];
    while (high - low > 0.5) {
      const middle = (low + high) / 2;
      if (total(middle) >= this.#room) high = middle;
      else low = middle;
    }
    return high;
  }

  #goTo(time: number): void {
    if (limitDay(time) > limitDay(this.#now)) {
      this.#room = this.#limit;
      this.#isShared = false;
    }
    this.#now = time;
  }

  /** Each day is like the one a week before. @returns the end, if it comes to one */
  #goOnWeekly(left: number): number | undefined {
    const first = limitDay(this.#horizon);
    let missing = left;
    for (let day = first; day < first + longestDays; day += 1) {
      const usual = this.#days.get(day - week) ?? 0;
      const count = Math.min(usual, missing);
      if (count === 0) continue;
      this.#days.set(day, count);
      missing -= count;
      if (missing === 0) return beginOf(day) + (count / usual) * dayMs - 1;
    }
    return undefined;
  }
}
