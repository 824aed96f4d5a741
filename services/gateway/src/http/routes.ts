import type { Operation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { Router, type RequestHandler } from 'express';
import { authorize } from '../access/authorize.ts';
import type { Throttles } from '../throttles/throttle.ts';
import { answering, type AnsweringOptions } from './answering.ts';
import { bodyReader } from './body.ts';
import { stateOf } from './request-state.ts';

export interface RoutesOptions extends AnsweringOptions {
  readonly operations: readonly Operation[];
  readonly throttles: Throttles;
}

/** Every route of the API, from the contracts alone. */
export function createRoutes(options: RoutesOptions): Router {
  const router = Router({ caseSensitive: true });
  const byPath = Map.groupBy(options.operations, (operation) => operation.path);
  for (const path of [...byPath.keys()].toSorted(literalFirst)) {
    const here = byPath.get(path) ?? [];
    const route = router.route(path);
    for (const operation of here) {
      route[methodOf(operation)](...stepsOf(operation, options));
    }
    const allow = allowed(here);
    route.options((_request, response) => void response.setHeader('Allow', allow).status(204).end());
    route.all(() => {
      throw new Refused('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, undefined, { Allow: allow });
    });
  }
  return router;
}

/** What a request passes on its way to the owner. */
function stepsOf(operation: Operation, options: RoutesOptions): RequestHandler[] {
  const { throttles, authenticate } = options;
  const begin: RequestHandler = (_request, response, next) => {
    stateOf(response).operation = operation;
    next();
  };
  const identify: RequestHandler = async (request, response, next) => {
    await authenticate(request, response);
    next();
  };
  const permit: RequestHandler = (_request, response, next) => {
    authorize(operation, stateOf(response));
    next();
  };
  return [
    begin,
    ...(operation.throttle === undefined ? [] : throttles[operation.throttle]),
    ...(operation.access === 'public' ? [] : [identify, ...throttles.credential, permit]),
    ...(operation.method === 'GET' ? [] : [bodyReader(operation)]),
    ...(operation.failuresBy === undefined ? [] : throttles.failures(operation.failuresBy)),
    answering(operation, options),
  ];
}

const methodOf = ({ method }: Operation): 'get' | 'post' | 'put' | 'patch' | 'delete' =>
  method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';

function allowed(operations: readonly Operation[]): string {
  const methods: string[] = operations.map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/** Orders paths so that a word is tried before a parameter in the same place: `/messages/text` before `/messages/:id`. */
function literalFirst(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  for (const [index, part] of left.entries()) {
    const difference = Number(part.startsWith(':')) - Number((right[index] ?? '').startsWith(':'));
    if (difference !== 0) return difference;
  }
  return 0;
}
