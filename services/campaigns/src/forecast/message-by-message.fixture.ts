import { isAwake } from '../quiet-hours/quiet-hours.ts';
import { beginOf, limitDay } from './days.ts';
import type { ForecastFacts, Sending } from './forecast.ts';

interface Waiting {
  readonly sending: Sending;
  /** Zones of those who are left, in order. */
  people: string[];
  readyAt: number;
}

/** Each message of all broadcasts, one after the other, as broadcasts and the send gate do it. @returns times of those of the own one */
export function sentOneByOne(facts: ForecastFacts, random: () => number = () => 0.5): number[] {
  const { now, own, rivals, messageDelayMs, sendMs, dailyLimit, usedToday } = facts;
  const all = [own, ...rivals].map((sending): Waiting => {
    const { zones, readyAt } = sending;
    const people = zones.flatMap(({ zone, count, first, last }) =>
      Array.from({ length: count }, (_, index) => ({ zone, place: first + (index * (last - first + 1)) / count })),
    );
    const inOrder = people.toSorted((one, other) => one.place - other.place);
    return { sending, people: inOrder.map(({ zone }) => zone), readyAt: Math.max(readyAt, now) };
  });
  const mine = all[0];
  const times: number[] = [];
  let [used, day, gateOpensAt, freeAt] = [usedToday, limitDay(now), 0, 0];
  while (mine !== undefined && mine.people.length > 0) {
    const next = all.filter(({ people }) => people.length > 0).toSorted((one, other) => one.readyAt - other.readyAt)[0];
    if (next === undefined) break;
    const { sending } = next;
    const time = Math.max(next.readyAt, gateOpensAt, freeAt);
    if (limitDay(time) > day) [used, day] = [0, limitDay(time)];
    const awake = next.people.findIndex((zone) => isAwake(sending.quietHours, zone, time));
    if (dailyLimit !== null && used >= dailyLimit) next.readyAt = beginOf(day + 1);
    else if (awake === -1) next.readyAt = Math.max(next.readyAt, time) + 60_000;
    else {
      next.people.splice(awake, 1);
      used += 1;
      gateOpensAt = time + messageDelayMs;
      freeAt = time + sendMs;
      next.readyAt = freeAt + sending.delayMin + random() * (sending.delayMax - sending.delayMin);
      if (next === mine) times.push(time);
    }
  }
  return times;
}
