import { isTimeZone, type Fault, type FlowCondition } from '@messaging-gateway/contracts';

/** Faults of a condition that its schema does not tell. @param at its path */
export function conditionFaults(condition: FlowCondition, at: string): Fault[] {
  if (condition.type === 'field') {
    const { operator, value } = condition;
    if (operator !== 'exists' && value === undefined) return [{ path: `${at}.value`, message: 'is required' }];
    return operator === 'exists' && value !== undefined
      ? [{ path: `${at}.value`, message: 'goes with equals and contains only' }]
      : [];
  }
  if (condition.type !== 'time') return [];
  const { timezone, days, from, to } = condition;
  const faults: Fault[] = [];
  if (!isTimeZone(timezone))
    faults.push({ path: `${at}.timezone`, message: 'must be the name of a time zone, such as Asia/Jakarta' });
  if (days === undefined && from === undefined && to === undefined)
    faults.push({ path: `${at}.from`, message: 'must be given, or to, or days' });
  if (to !== undefined && (from ?? '00:00') === to)
    faults.push({ path: `${at}.to`, message: 'must differ from `from`' });
  return faults;
}
