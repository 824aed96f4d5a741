import type { Attempt } from './sender.ts';

export interface RetryRules {
  readonly retryAttempts: number;
  readonly retryDelayMs: number;
}

/** The verdict on a delivery after an attempt. `gone`: it has failed, and so will all others (410). */
export type Verdict =
  | { readonly status: 'delivered' | 'failed' | 'gone' }
  | { readonly status: 'retry'; readonly dueAt: number };

const longestDelayMs = 86_400_000;

/**
 * Decides what follows an attempt: all but 2xx is tried again, with a wait that doubles each time.
 *
 * @param attempts made, this one included
 * @param now milliseconds since 1970
 */
export function verdictOn(
  attempt: Pick<Attempt, 'outcome' | 'statusCode'>,
  attempts: number,
  now: number,
  rules: RetryRules,
): Verdict {
  if (attempt.outcome === 'delivered') return { status: 'delivered' };
  if (attempt.statusCode === 410) return { status: 'gone' };
  if (attempts >= rules.retryAttempts) return { status: 'failed' };
  const delay = Math.min(rules.retryDelayMs * 2 ** (attempts - 1), longestDelayMs);
  return { status: 'retry', dueAt: now + delay };
}
