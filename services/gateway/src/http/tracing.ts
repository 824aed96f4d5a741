import type { Spans } from '@messaging-gateway/tracing';
import type { RequestHandler } from 'express';
import { stateOf } from './request-state.ts';

/**
 * A span for each request. It goes on with the client's trace, or begins one when the sampler wants it. Paths and
 * queries stay out: they hold ids and search words.
 */
export function tracing(spans: Spans, prefix: string): RequestHandler {
  return (request, response, next) => {
    const state = stateOf(response);
    const given = request.headers['traceparent'];
    const span = spans.start(request.method, {
      kind: 'server',
      root: true,
      parent: typeof given === 'string' ? given : undefined,
      facts: { 'http.request.method': request.method, 'request.id': state.requestId },
    });
    if (span === undefined) return next();
    state.traceparent = span.traceparent;
    response.once('close', () => {
      const { operation, caller } = state;
      const route = operation && prefix + operation.path;
      if (route !== undefined) span.rename(`${request.method} ${route}`);
      const status = response.statusCode;
      span.note({
        'http.route': route,
        'http.response.status_code': status,
        'organization.id': caller?.organizationId,
      });
      span.end(status >= 500 ? String(status) : undefined);
    });
    next();
  };
}
