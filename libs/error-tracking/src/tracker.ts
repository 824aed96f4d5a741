import { settledWithin } from '@messaging-gateway/runtime';
import { envelopeAddress } from './dsn.ts';
import { eventOf, type LoggedFields, type Origin } from './event.ts';

export interface ErrorTracking {
  /** Tells an error that was logged. Costs its caller next to nothing, and never throws. */
  tell(message: string, fields: LoggedFields): void;
  /** Resolves when what waits was told, or it takes longer than that, milliseconds. Default 2 s. */
  stop(patienceMs?: number): Promise<void>;
}

/** How long a process that has to end at once stays for what it has to tell, milliseconds. */
export const lastWordsMs = 500;
const timeoutMs = 5_000;
const stopMs = 2_000;
/** Errors that wait; more are told nobody. */
const mostWaiting = 50;
/** Of the same kind in a minute. */
const mostAlike = 10;
const minuteMs = 60_000;
const longestRestMs = 600_000;

/** Tells a Sentry-compatible service of errors, one after the other. */
export function errorTracking(dsn: string, origin: Origin): ErrorTracking {
  const { url, key } = envelopeAddress(dsn);
  const waiting: string[] = [];
  let alike = new Map<string, number>();
  let minute = 0;
  let restsUntil = 0;
  let telling: Promise<void> | undefined;
  const auth = `Sentry sentry_version=7, sentry_client=messaging-gateway/${origin.release}, sentry_key=${key}`;

  const post = async (envelope: string): Promise<void> => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-sentry-envelope', 'x-sentry-auth': auth },
        body: envelope,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (answer.status !== 429) return;
      const restMs = Number(answer.headers.get('retry-after') ?? 60) * 1000;
      restsUntil = performance.now() + Math.min(Number.isNaN(restMs) ? minuteMs : restMs, longestRestMs);
      waiting.length = 0;
    } catch {
      // Errors are in the log too.
    }
  };
  const tellAll = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await post(next);
    telling = undefined;
  };
  /** Whether so many of the kind were told in this minute already. */
  const isFlood = (kind: string): boolean => {
    const now = Math.floor(performance.now() / minuteMs);
    if (now !== minute) [alike, minute] = [new Map(), now];
    const count = (alike.get(kind) ?? 0) + 1;
    alike.set(kind, count);
    return count > mostAlike;
  };
  return {
    tell: (message, fields) => {
      if (performance.now() < restsUntil || waiting.length >= mostWaiting) return;
      const event = eventOf(message, fields, origin, Date.now());
      const [{ type } = { type: '' }] = event.exception.values;
      if (isFlood(`${message} ${type} ${event.transaction ?? ''}`)) return;
      const head = { event_id: event.event_id, sent_at: new Date().toISOString() };
      waiting.push([head, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n'));
      telling ??= tellAll();
    },
    stop: async (patienceMs = stopMs) => void (await settledWithin(patienceMs, Promise.resolve(telling))),
  };
}
