import type { Operation } from '@messaging-gateway/contracts';
import type { RequestHandler } from 'express';
import { writeJson } from './routes.ts';

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const refusal = JSON.stringify({
  statusCode: 403,
  error: 'Demo Mode',
  message: 'This action is disabled in demo mode.',
  demoMode: true,
});

/** Refuses every write below the base URL but those of operations that are allowed in demo mode. */
export function demoGuard(operations: readonly Operation[], prefix: string): RequestHandler {
  const allowed = new Set(
    operations
      .filter((operation) => operation.allowedInDemo === true)
      .map((operation) => `${operation.method} ${prefix}${operation.path}`),
  );
  return (request, response, next) => {
    if (!writes.has(request.method)) return next();
    if (allowed.has(`${request.method} ${request.path.replace(/\/$/, '')}`)) return next();
    writeJson(response, 403, refusal);
  };
}
