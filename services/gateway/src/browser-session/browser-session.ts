import type { Operation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Request, RequestHandler, Response } from 'express';
import jwt from 'jsonwebtoken';
import type { KeptAnswer } from '../idempotency/sealed-answer.ts';
import { statusOf } from '../request/error-answer.ts';
import { bearsSessionHeader, setTokenCookie, takeBackCookies, tokenInCookie } from './session-cookies.ts';

/** Fields of an answer that begins or renews a session. A login that needs a code too has none of them yet. */
interface Tokens {
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

type Effect = NonNullable<Operation['browserSession']>;

/** The body of an exchange of tokens, whose token a browser has in a cookie. */
export function refreshTokenFromCookie(operation: Operation): RequestHandler[] {
  if (operation.browserSession !== 'renews') return [];
  return [
    (request, _response, next) => {
      if (isEmpty(request.body) && bearsSessionHeader(request)) {
        const token = tokenInCookie(request, 'refresh');
        if (token === undefined) throw new Refused('UNAUTHORIZED', 'No cookie holds a refresh token.');
        request.body = { refreshToken: token };
      }
      next();
    },
  ];
}

const isEmpty = (body: unknown): boolean => JSON.stringify(body ?? {}) === '{}';

/**
 * Puts the tokens of an answer into cookies, where the request asks for that, and takes cookies back at the end of a session.
 *
 * @returns the answer as it goes out: without tokens that went into cookies
 */
export function inCookies(effect: Effect, request: Request, response: Response, answer: KeptAnswer): KeptAnswer {
  if (!bearsSessionHeader(request)) return answer;
  if (effect === 'ends') takeBackCookies(request, response);
  const body = JSON.parse(answer.json ?? '{}') as Tokens;
  const { accessToken, refreshToken } = body;
  if (accessToken === undefined || refreshToken === undefined) return answer;
  setTokenCookie(request, response, 'access', accessToken, lifeOf(accessToken));
  setTokenCookie(request, response, 'refresh', refreshToken, lifeOf(refreshToken));
  return { ...answer, json: JSON.stringify({ ...body, accessToken: '', refreshToken: '' } satisfies Tokens) };
}

/** From its beginning to its end, seconds: so a browser whose clock is wrong keeps it as long as any other. */
function lifeOf(token: string): number {
  const { iat = 0, exp = 0 } = jwt.decode(token, { json: true }) ?? {};
  return exp - iat;
}

/** A session that is over leaves nothing behind in the browser: an exchange or an end of one is refused with 401. */
export function forgetSession(operation: Operation, request: Request, response: Response, error: unknown): void {
  const { browserSession: effect } = operation;
  if (effect === undefined || effect === 'begins' || !bearsSessionHeader(request)) return;
  if (statusOf(error) === 401) takeBackCookies(request, response);
}
