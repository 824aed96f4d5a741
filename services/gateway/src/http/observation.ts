import type { Operation } from '@messaging-gateway/contracts';
import type { Logger, Metrics } from '@messaging-gateway/runtime';
import type { Spans } from '@messaging-gateway/tracing';
import type { RequestHandler, Response } from 'express';
import { Gauge, Histogram } from 'prom-client';
import { stateOf } from '../request/request-state.ts';

/** Slower than this is worth a line, unless the operation is made to wait. Milliseconds. */
const slowMs = 1000;
const madeToWaitMs = 30_000;

/** Counts and times every request, and logs those that are slow; with LOG_LEVEL=debug all of them. */
export function observation(metrics: Metrics, log: Logger): RequestHandler {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the head of the request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [metrics],
  });
  const inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that are being answered',
    registers: [metrics],
  });
  return (request, response, next) => {
    const begun = performance.now();
    inFlight.inc();
    response.once('close', () => {
      inFlight.dec();
      const ms = performance.now() - begun;
      const { operation } = stateOf(response);
      duration.observe(
        { method: request.method, route: operation?.path ?? 'none', status: response.statusCode },
        ms / 1000,
      );
      const isSlow = ms > slowMs && (operation === undefined || !takesItsTime(operation));
      log[isSlow ? 'info' : 'debug'](isSlow ? 'slow request' : 'request', factsOf(request.method, response, ms));
    });
    next();
  };
}

/** Whether an operation waits for news, for an engine, or for a client that reads. */
const takesItsTime = ({ stream, pages, timeoutMs = 0, answers }: Operation): boolean =>
  stream !== undefined ||
  pages !== undefined ||
  timeoutMs > madeToWaitMs ||
  Object.values(answers).some(({ streamed }) => streamed === true);

function factsOf(method: string, response: Response, ms: number): Record<string, unknown> {
  const { requestId, operation, caller } = stateOf(response);
  return {
    requestId,
    method,
    route: operation?.path,
    status: response.statusCode,
    durationMs: Math.round(ms * 10) / 10,
    organizationId: caller?.organizationId,
  };
}

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
