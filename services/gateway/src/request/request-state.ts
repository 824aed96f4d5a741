import { randomUUID } from 'node:crypto';
import type { Caller, EventMark, KeyLimit, Operation } from '@messaging-gateway/contracts';
import type { NextFunction, Request, Response } from 'express';
import type { RequestMedia } from '../media/request-media.ts';

/** The state of a request while it passes through the gateway. */
export interface RequestState {
  readonly requestId: string;
  /** Of the request's own span, when requests are traced. */
  traceparent?: string;
  /** Route that it met, if any. */
  operation?: Operation;
  caller?: Caller;
  /** In what the API key of the caller is limited. */
  limits?: readonly KeyLimit[];
  /** Names the credential for throttles: the session or the API key. */
  credential?: string;
  /** Events that the organization raised lately: the owner handles them before the request. */
  marks?: readonly EventMark[];
  /** Media that the request has put into the store. */
  media?: RequestMedia;
  /** Fingerprint that a repeat must have in common with it, where that is not the body. */
  fingerprint?: unknown;
}

/** A request as its contract has it. */
export interface Input {
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

export const stateOf = (response: Response): RequestState => response.locals['state'] as RequestState;

/** Gives each request its id: the client's, or a new one. It is echoed in the answer, also of a failure. */
export function beginRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && isVisible(given, 128) ? given : randomUUID();
  response.locals['state'] = { requestId } satisfies RequestState;
  response.setHeader('X-Request-Id', requestId);
  next();
}

/** The client's address, by `TRUST_PROXY`. */
export const addressOf = (request: Request): string => plainAddress(request.ip ?? '');

/** A client's address as it is compared and shown: IPv4 without the IPv6 form that some sockets give it. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The client's `User-Agent`, cut to the 512 characters that are kept. */
export const userAgentOf = ({ headers }: Request): string | undefined => headers['user-agent']?.slice(0, 512);

/** Whether a header's value has only visible ASCII characters, and at most so many. */
export const isVisible = (text: string, atMost: number): boolean =>
  text.length > 0 && text.length <= atMost && /^[\x21-\x7e]+$/.test(text);

/**
 * Where the client reaches the API, without a slash at its end: `PUBLIC_URL`, else the host that the request was sent to
 * (`X-Forwarded-Host` and `X-Forwarded-Proto` from a proxy that `TRUST_PROXY` believes).
 */
export function publicUrlOf(settings: { readonly publicUrl: string | undefined }, request: Request): string {
  return settings.publicUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
}
