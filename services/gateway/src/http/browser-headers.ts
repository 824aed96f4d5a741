import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';

/** Headers that protect browsers. The policy fits the interactive documentation and never turns http into https. */
export const protectiveHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        fontSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });

/** Headers of answers that scripts of other origins may read. */
const exposed = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Content-Disposition',
  'Content-Range',
  'ETag',
];

/**
 * Lets browsers of these origins call, with the cookies of a session where the origin is named: what every origin may do (`*`) it
 * does without. An OPTIONS request that is no preflight goes on to its route.
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const named = origins.filter((origin) => origin !== '*');
  const shared = { exposedHeaders: exposed, maxAge: 600 };
  const optionsOf = (origin: string | undefined): CorsOptions =>
    origins.includes('*') && !named.includes(origin ?? '')
      ? { ...shared, origin: '*' }
      : { ...shared, origin: named, credentials: named.includes(origin ?? '') };
  const answer = cors<Request>((request, done) => done(null, optionsOf(request.headers.origin)));
  const announce = cors<Request>((request, done) =>
    done(null, { ...optionsOf(request.headers.origin), preflightContinue: true }),
  );
  return (request, response, next) => {
    response.vary('Origin');
    if (request.headers.origin === undefined) return next(); // not a browser's script: nothing else to say
    const preflight = request.headers['access-control-request-method'] !== undefined;
    (request.method === 'OPTIONS' && !preflight ? announce : answer)(request, response, next);
  };
}
