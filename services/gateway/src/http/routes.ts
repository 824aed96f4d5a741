import type { Operation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { Router, type RequestHandler } from 'express';
import { authorize } from '../access/authenticate.ts';
import { stateOf } from '../request/request-state.ts';
import type { Throttles } from '../throttles/throttle.ts';
import { answering, type AnsweringOptions } from './answering.ts';
import { compressing } from './compressing.ts';
import { bodyReader } from './input.ts';

export interface RoutesOptions extends AnsweringOptions {
  readonly operations: readonly Operation[];
  readonly throttles: Throttles;
}

/**
 * Every route of the API, from the contracts alone. Express tries routes one after the other: a path without parameters
 * has a router of its own, which is looked up.
 */
export function createRoutes(options: RoutesOptions): RequestHandler {
  const withParameters = Router({ caseSensitive: true });
  const byPath = new Map<string, Router>();
  const byShape = Map.groupBy(options.operations, ({ path }) => parametersLast(path));
  for (const shape of [...byShape.keys()].toSorted()) {
    const router = shape.includes(parameter) ? withParameters : Router({ caseSensitive: true });
    if (router !== withParameters) byPath.set(shape, router);
    addRoutes(router, byShape.get(shape) ?? [], options);
  }
  return (request, response, next) => {
    const router = byPath.get(request.path.replace(/(.)\/$/, '$1')) ?? withParameters;
    router(request, response, next);
  };
}

/** Operations of one path. */
function addRoutes(router: Router, operations: readonly Operation[], options: RoutesOptions): void {
  for (const operation of operations) router.route(operation.path)[methodOf(operation)](...stepsOf(operation, options));
  const allow = allowed(operations);
  const route = router.route(operations[0]?.path ?? '/');
  route.options((_request, response) => void response.setHeader('Allow', allow).status(204).end());
  route.all(() => {
    throw new Refused('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, undefined, { Allow: allow });
  });
}

/** The steps that a request passes on its way to the owner. */
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
    ...(operation.compressed === true ? [compressing()] : []),
    ...(operation.throttle === undefined || operation.throttle === 'password' ? [] : throttles[operation.throttle]),
    ...(operation.access === 'public' ? [] : [identify, ...throttles.credential, permit]),
    ...(operation.throttle === 'password' ? throttles.password : []),
    ...(operation.method === 'GET' ? [] : [bodyReader(operation, options)]),
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

/**
 * The key of a path, the same for paths that differ only in the names of their parameters. In the order of texts a word
 * comes before a parameter in the same place: `/messages/text` before `/messages/:id`.
 */
const parametersLast = (path: string): string => path.replaceAll(/:[^/]+/g, parameter);
const parameter = '\uffff';
