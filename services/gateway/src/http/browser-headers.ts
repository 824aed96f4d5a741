import cors from 'cors';
import type { RequestHandler } from 'express';
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

/** Lets browsers of these origins call. An OPTIONS request that is no preflight goes on to its route. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const options = { origin: origins.includes('*') ? '*' : [...origins], exposedHeaders: exposed, maxAge: 600 };
  const answer = cors(options);
  const announce = cors({ ...options, preflightContinue: true });
  return (request, response, next) => {
    if (request.headers.origin === undefined) {
      response.setHeader('Vary', 'Origin'); // not a browser's script: nothing else to say
      return next();
    }
    const preflight = request.headers['access-control-request-method'] !== undefined;
    (request.method === 'OPTIONS' && !preflight ? announce : answer)(request, response, next);
  };
}
