import type { FlowCondition } from '@messaging-gateway/contracts';
import type { Compiled, Facts, Person } from '../../answerers/compiled.ts';
import { minutesOf, wallTime } from './wall-clock.ts';

type Of<T extends FlowCondition['type']> = Extract<FlowCondition, { type: T }>;

/** Conditions, ready to be asked. */
export const compileConditions = (conditions: readonly FlowCondition[]): Compiled['conditions'] =>
  conditions.map((condition) => ({
    condition,
    holds: (facts) => isMet(condition, facts) !== (condition.not ?? false),
  }));

function isMet(condition: FlowCondition, { message, person, now }: Facts): boolean {
  switch (condition.type) {
    case 'tag':
      return person.tags.includes(condition.value);
    case 'field':
      return fieldHolds(condition, person);
    case 'time':
      return isTime(condition, now);
    case 'message_type':
      return message !== undefined && condition.value.includes(message.told.type);
    case 'quoted':
      return message?.told.quotedMessageId !== undefined || message?.told.quoted !== undefined;
  }
}

const metadataPrefix = 'metadata.';

/** A field of a person as a text; undefined: there is none, or an empty one. */
function fieldOf(person: Person, field: string): string | undefined {
  const value = field.startsWith(metadataPrefix) ? metadataOf(person, field) : wordsOf(person, field);
  return value === '' ? undefined : value;
}

function wordsOf({ name, pushName, phone }: Person, field: string): string | undefined {
  const fields: Readonly<Record<string, string | null>> = { name, pushName, phone };
  return (Object.hasOwn(fields, field) ? fields[field] : undefined) ?? undefined;
}

function metadataOf({ metadata }: Person, field: string): string | undefined {
  const key = field.slice(metadataPrefix.length);
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function fieldHolds({ field, operator, value = '' }: Of<'field'>, person: Person): boolean {
  const has = fieldOf(person, field);
  if (has === undefined || operator === 'exists') return has !== undefined;
  const wanted = field === 'phone' ? value.replaceAll(/[^0-9]/g, '') : value;
  return operator === 'equals' ? has === wanted : has.toLowerCase().includes(wanted.toLowerCase());
}

const dayMinutes = 24 * 60;

/** By the clock on the wall, whatever is done to it; of a time over midnight the day is the one on which it began. */
function isTime({ timezone, days, from, to }: Of<'time'>, now: number): boolean {
  const { day, minutes } = wallTime(timezone, now);
  const begin = from === undefined ? 0 : minutesOf(from);
  const end = to === undefined ? dayMinutes : minutesOf(to);
  const isDay = (one: number): boolean => days?.includes(one) ?? true;
  if (begin < end) return isDay(day) && minutes >= begin && minutes < end;
  const yesterday = day === 1 ? 7 : day - 1;
  return (isDay(day) && minutes >= begin) || (isDay(yesterday) && minutes < end);
}
