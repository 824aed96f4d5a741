import type { Logger } from '@messaging-gateway/runtime';
import type { RequestHandler } from 'express';

/** Warns once when requests come by a proxy that is not believed: all clients behind it share the limits of one address. */
export function warnOfProxy(log: Pick<Logger, 'warn'>): RequestHandler {
  let isSaid = false;
  return (request, _response, next) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      log.warn('Requests carry X-Forwarded-For, which is not believed: when they come by a proxy, set TRUST_PROXY');
    }
    next();
  };
}
