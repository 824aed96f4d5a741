import { Refused } from '@messaging-gateway/messaging';

/** Refusal where no provider is configured. */
export const notConfigured = (): Refused =>
  new Refused('SERVICE_UNAVAILABLE', 'No AI provider is configured, neither by the organization nor here.');

/** Too many wait for their providers already. */
export const noPlace = (): Refused =>
  new Refused('SERVICE_UNAVAILABLE', 'Too many requests of the organization wait for its AI provider.', undefined, {
    'Retry-After': '5',
  });

/** Refusal of a call for which nobody waits any longer, or whose process stops. */
export const givenUp = (): Refused => new Refused('SERVICE_UNAVAILABLE', 'The call to the AI provider was given up.');

/** @param why the rest of a sentence that begins with the provider */
export const providerFailed = (why: string, retryAfterSeconds?: number): Refused =>
  new Refused(
    'AI_PROVIDER_FAILED',
    `The AI provider ${why}.`,
    undefined,
    retryAfterSeconds === undefined ? undefined : { 'Retry-After': String(retryAfterSeconds) },
  );

/** Refusal for a provider that does not answer in time, which the gateway answers with 504. */
export const providerHangs = (): Refused =>
  new Refused('AI_PROVIDER_FAILED', 'The AI provider did not answer in time.', { hangs: true });

export const budgetExhausted = (resetsAt: Date): Refused =>
  new Refused(
    'AI_BUDGET_EXHAUSTED',
    `This needs more tokens than the organization has left until ${resetsAt.toISOString()}.`,
  );
