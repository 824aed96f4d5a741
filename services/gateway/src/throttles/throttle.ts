import { createHash } from 'node:crypto';
import { Refused } from '@messaging-gateway/messaging';
import type { RateLimit } from '@messaging-gateway/runtime';
import type { Request, RequestHandler, Response } from 'express';
import {
  MemoryStore,
  ipKeyGenerator,
  rateLimit,
  type AugmentedRequest,
  type Options,
  type Store,
} from 'express-rate-limit';
import { addressOf, stateOf } from '../request/request-state.ts';
import type { ThrottleReport } from './throttle-report.ts';

/** Where hits are counted: memory for one process, Redis for several. */
export type ThrottleStore = (name: string) => Store;

export interface Throttles {
  /** Every request, by client address. */
  readonly global: readonly RequestHandler[];
  /** Every request with a credential, by credential. */
  readonly credential: readonly RequestHandler[];
  /** Register, login and 2FA together, by client address. */
  readonly auth: readonly RequestHandler[];
  readonly refresh: readonly RequestHandler[];
  /** Wrong passwords of somebody who is signed in, by user. */
  readonly password: readonly RequestHandler[];
  /** Failed attempts by the value of a body field. */
  failures(field: string): readonly RequestHandler[];
  stop(): void;
}

export interface ThrottleSettings {
  readonly globalLimit: RateLimit | undefined;
  readonly authLimit: RateLimit | undefined;
  readonly credentialWindow: number;
  readonly credentialLimit: number;
  readonly shortLimit: RateLimit | undefined;
  readonly mediumLimit: RateLimit | undefined;
  readonly longLimit: RateLimit | undefined;
}

const failedLogins: RateLimit = { count: 10, windowMs: 900_000 };

/** Makes the throttles of the `RATE_LIMIT_…` settings; those that are off have no handler at all. */
export function createThrottles(
  settings: ThrottleSettings,
  openStore: ThrottleStore,
  report: ThrottleReport,
): Throttles {
  const opened: Store[] = [];
  const counter = (name: string, limit: RateLimit | undefined, options: Partial<Options>): RequestHandler[] => {
    if (limit === undefined) return [];
    const store = openStore(name);
    opened.push(store);
    return [limiter(name, limit, store, options, report)];
  };
  const { authLimit, credentialLimit, credentialWindow } = settings;
  const perCredential = credentialLimit > 0 ? { count: credentialLimit, windowMs: credentialWindow * 1000 } : undefined;
  const twice = authLimit && { ...authLimit, count: authLimit.count * 2 };
  return {
    global: counter('global', settings.globalLimit, byAddress),
    credential: [
      ...counter('credential', perCredential, byCredential),
      ...counter('short', settings.shortLimit, byCredential),
      ...counter('medium', settings.mediumLimit, byCredential),
      ...counter('long', settings.longLimit, byCredential),
    ],
    auth: counter('auth', authLimit, byAddress),
    refresh: counter('refresh', twice, byAddress),
    password: counter('failed-password', authLimit && failedLogins, byWrongPassword),
    failures: (field) => (authLimit === undefined ? [] : counter(`failed-${field}`, failedLogins, byFailure(field))),
    stop: () => opened.forEach((store) => void store.shutdown?.()),
  };
}

/** Counts in this process. */
export const memoryThrottleStore: ThrottleStore = () => new MemoryStore();

function limiter(
  name: string,
  limit: RateLimit,
  store: Store,
  options: Partial<Options>,
  report: ThrottleReport,
): RequestHandler {
  return rateLimit({
    windowMs: limit.windowMs,
    limit: limit.count,
    identifier: name,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    store,
    // A store that is away must not take the API down with it.
    passOnStoreError: true,
    // The library's advice about proxies: TRUST_PROXY alone says who is believed.
    validate: false,
    handler: (request, response, next) => {
      report(name, stateOf(response).caller?.organizationId);
      next(tooMany(request, name, limit));
    },
    ...options,
  });
}

/** Of what there are too many, by the name of the limit. */
const whose: Readonly<Record<string, string>> = {
  global: 'from one address',
  credential: 'with one credential',
  short: 'with one credential',
  medium: 'with one credential',
  long: 'with one credential',
  auth: 'to register and log in, from one address',
  refresh: 'to refresh tokens, from one address',
  'failed-password': 'with a wrong password',
};

/** Says itself when to come again: the library does so only beside its other headers. */
function tooMany(request: Request, name: string, { count, windowMs }: RateLimit): Refused {
  const { resetTime } = (request as AugmentedRequest)['rateLimit'] ?? {};
  const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000));
  const passed = `${count} in ${windowMs / 1000} s ${whose[name] ?? 'for the same value'}`;
  return new Refused('RATE_LIMITED', `Too many requests (${passed}): try again in ${seconds} s.`, undefined, {
    'Retry-After': String(seconds),
  });
}

const byAddress: Partial<Options> = { keyGenerator: (request) => ipKeyGenerator(addressOf(request)) };
const byCredential: Partial<Options> = { keyGenerator: (_request, response) => stateOf(response).credential ?? '' };

/** A session that was stolen must not be a way to the password. */
const byWrongPassword: Partial<Options> = {
  keyGenerator: (_request, response) => stateOf(response).caller?.userId ?? '',
  standardHeaders: false,
  skipSuccessfulRequests: true,
  requestWasSuccessful: (_request: Request, response: Response) => response.statusCode !== 403,
};

/** Only failed attempts stay counted; the headers of this limit would tell whether an address is known, so there are none. */
const byFailure = (field: string): Partial<Options> => ({
  keyGenerator: (request) => hashOf(request, field),
  standardHeaders: false,
  skipSuccessfulRequests: true,
  requestWasSuccessful: (_request: Request, response: Response) => response.statusCode !== 401,
});

function hashOf(request: Request, field: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[field];
  return createHash('sha256')
    .update(typeof value === 'string' ? value.trim().toLowerCase() : '')
    .digest('base64');
}
