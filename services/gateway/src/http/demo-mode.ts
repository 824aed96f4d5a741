import type { Operation } from '@messaging-gateway/contracts';
import type { RequestHandler } from 'express';
import { bearsSessionHeader, takeBackCookies } from '../browser-session/session-cookies.ts';
import { writeJson } from './routes.ts';

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const refusal = JSON.stringify({
  statusCode: 403,
  error: 'Demo Mode',
  message: 'This action is disabled in demo mode.',
  demoMode: true,
});

/**
 * Refuses every write below the base URL but those of operations that are allowed in demo mode. A browser that signs out forgets its
 * session all the same.
 */
export function demoGuard(operations: readonly Operation[], prefix: string): RequestHandler {
  const routesOf = (isMeant: (operation: Operation) => boolean): ReadonlySet<string> =>
    new Set(operations.filter(isMeant).map(({ method, path }) => `${method} ${prefix}${path}`));
  const allowed = routesOf((operation) => operation.allowedInDemo === true);
  const endings = routesOf((operation) => operation.browserSession === 'ends');
  return (request, response, next) => {
    if (!writes.has(request.method)) return next();
    const route = `${request.method} ${request.path.replace(/\/$/, '')}`;
    if (allowed.has(route)) return next();
    if (endings.has(route) && bearsSessionHeader(request)) takeBackCookies(request, response);
    writeJson(response, 403, refusal);
  };
}
