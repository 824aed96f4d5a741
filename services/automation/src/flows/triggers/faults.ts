import { isTimeZone, type Fault, type FlowTrigger } from '@messaging-gateway/contracts';
import { assertPattern } from './pattern.ts';
import { Timetable } from './timetable.ts';

/** Faults of a trigger that its schema does not tell. @param at its path */
export function triggerFaults(trigger: FlowTrigger, at: string): Fault[] {
  if (trigger.type === 'regex') return patternFaults(trigger.value, `${at}.value`);
  if (trigger.type !== 'schedule') return [];
  const { cron, timezone } = trigger.value;
  if (!isTimeZone(timezone))
    return [{ path: `${at}.value.timezone`, message: 'must be the name of a time zone, such as Asia/Jakarta' }];
  const message = cronFault(cron, timezone);
  return message === undefined ? [] : [{ path: `${at}.value.cron`, message }];
}

function patternFaults(source: string, path: string): Fault[] {
  try {
    assertPattern(source);
    return [];
  } catch (error) {
    return [{ path, message: `is no pattern of RE2: ${(error as Error).message}` }];
  }
}

function cronFault(cron: string, timezone: string): string | undefined {
  try {
    return new Timetable(cron, timezone).next(Date.now()) === undefined ? 'never fires' : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
