import type { Clock, Logger } from '@messaging-gateway/runtime';

/** Told of each request that a throttle refuses: by the name of the limit, and whose it was where that is known. */
export type ThrottleReport = (limit: string, organizationId: string | undefined) => void;

const minuteMs = 60_000;
/** Tenants and limits of a minute that are told apart; what is beyond goes without a line. */
const atMost = 1000;

/** Says in the log who is throttled by what, once a minute each. Addresses of clients stay out of it. */
export function throttleReport(log: Pick<Logger, 'warn'>, clock: Pick<Clock, 'now'>): ThrottleReport {
  const said = new Set<string>();
  let began = clock.now();
  return (limit, organizationId) => {
    if (clock.now() - began >= minuteMs) {
      said.clear();
      began = clock.now();
    }
    const key = `${limit} ${organizationId ?? ''}`;
    if (said.has(key) || said.size >= atMost) return;
    said.add(key);
    log.warn('Requests are throttled', { limit, organizationId });
  };
}
