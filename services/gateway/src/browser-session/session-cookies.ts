import { sessionCookies, sessionHeader } from '@messaging-gateway/contracts';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';

type Kind = keyof typeof sessionCookies;

/** Only a TLS connection sets and sends it, for this host and no other. */
const ofHost = '__Host-';

const shared = { httpOnly: true, sameSite: 'strict', path: '/' } as const;

/** Whether the request bears the header that no page of another origin can send. */
export const bearsSessionHeader = (request: Request): boolean => request.get(sessionHeader) === '1';

/**
 * The token that a cookie of this request holds. Over TLS only the one that this host has set counts: another host of the domain,
 * or a connection without TLS, could have set one of the plain name.
 */
export function tokenInCookie(request: Request, kind: Kind): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const cookies = parseCookie(cookie);
  const ofThisHost = cookies[ofHost + sessionCookies[kind]];
  return request.secure ? ofThisHost : (ofThisHost ?? cookies[sessionCookies[kind]]);
}

/** @param seconds until the browser forgets it */
export function setTokenCookie(request: Request, response: Response, kind: Kind, token: string, seconds: number): void {
  const secure = isOverTls(request);
  const name = (secure ? ofHost : '') + sessionCookies[kind];
  response.append('Set-Cookie', stringifySetCookie({ ...shared, name, value: token, secure, maxAge: seconds }));
}

/** Takes back all that may have been set. */
export function takeBackCookies(request: Request, response: Response): void {
  const secure = isOverTls(request);
  for (const plain of Object.values(sessionCookies))
    for (const name of [plain, ...(secure ? [ofHost + plain] : [])])
      response.append('Set-Cookie', stringifySetCookie({ ...shared, name, value: '', secure, maxAge: 0 }));
}

/** Also behind a proxy that `TRUST_PROXY` does not name: a page that came over TLS calls nothing else. */
const isOverTls = (request: Request): boolean =>
  request.secure || request.headers.origin?.startsWith('https://') === true;
