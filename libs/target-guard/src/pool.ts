import { Agent, Pool, type Dispatcher } from 'undici';
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

const optionsOf = (policy: TargetPolicy, options: GuardedPoolOptions): Pool.Options => ({
  connect: guardedConnector(policy, options),
  allowH2: false,
  headersTimeout: options.headersTimeoutMs,
  bodyTimeout: options.bodyTimeoutMs,
  keepAliveTimeout: options.keepAliveMs,
  keepAliveMaxTimeout: options.keepAliveMs,
  pipelining: 1,
});

/** HTTP/1.1 connections to one origin through the guard. Follows no redirects. `origin` is a checked URL's origin. */
export function guardedPool(origin: string, policy: TargetPolicy, options: GuardedPoolOptions): Pool {
  return new Pool(origin, optionsOf(policy, options));
}

/**
 * HTTP/1.1 connections through the guard to any origins; unused ones are closed.
 *
 * @param mostBytes of an answer's body, as it comes
 */
export function guardedAgent(policy: TargetPolicy, options: GuardedPoolOptions, mostBytes: number): Agent {
  return new Agent({ ...optionsOf(policy, options), maxResponseSize: mostBytes });
}

export type { Agent, Pool };
export type ResponseBody = Dispatcher.ResponseData['body'];
