import { Pool, type Dispatcher } from 'undici';
import { guardedConnector, type ConnectorOptions } from './connector.ts';
import type { TargetPolicy } from './policy.ts';

export interface GuardedPoolOptions extends ConnectorOptions {
  /** From the request to the last response header, milliseconds. */
  readonly headersTimeoutMs: number;
  /** Between two parts of the response body, milliseconds. */
  readonly bodyTimeoutMs: number;
  /** An unused connection is closed after this, milliseconds. */
  readonly keepAliveMs: number;
}

/** HTTP/1.1 connections to one origin through the guard. Follows no redirects. `origin` is a checked URL's origin. */
export function guardedPool(origin: string, policy: TargetPolicy, options: GuardedPoolOptions): Pool {
  return new Pool(origin, {
    connect: guardedConnector(policy, options),
    allowH2: false,
    headersTimeout: options.headersTimeoutMs,
    bodyTimeout: options.bodyTimeoutMs,
    keepAliveTimeout: options.keepAliveMs,
    keepAliveMaxTimeout: options.keepAliveMs,
    pipelining: 1,
  });
}

export type { Pool };
export type ResponseBody = Dispatcher.ResponseData['body'];
