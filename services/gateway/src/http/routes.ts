import { randomUUID } from 'node:crypto';
import { check, type Operation, type OperationReply, type StreamedObjectOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { authorize } from '../access/authenticate.ts';
import { inCookies, refreshTokenFromCookie } from '../browser-session/browser-session.ts';
import { unavailable, type Dispatcher, type Sent } from '../dispatch/dispatcher.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { KeptAnswer } from '../idempotency/sealed-answer.ts';
import { bodyMedia, type BodyMediaOptions } from '../media/body-media.ts';
import { sendObject } from '../media/object-answer.ts';
import { statusOf } from '../request/error-answer.ts';
import { stateOf, type Input } from '../request/request-state.ts';
import type { Throttles } from '../throttles/throttle.ts';
import { compressing } from './compressing.ts';
import { bodyReader, inputCheck } from './input.ts';
import { pagesAnswering } from './pages.ts';
import { writePicture } from './qr-picture.ts';
import { SpokenAnswer, type Speech } from './spoken-answer.ts';
import { streamAnswering, wantsStream, type StreamOptions } from './server-sent-events.ts';

interface AnsweringOptions extends BodyMediaOptions, StreamOptions {
  readonly dispatcher: Dispatcher;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  /** In tests: an owner whose answer is not what its contract says fails loudly. */
  readonly checked: boolean;
}

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
    ...refreshTokenFromCookie(operation),
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

/** The last step of a route: checks the input, asks the owner, answers. */
function answering(operation: Operation, options: AnsweringOptions): RequestHandler {
  if (operation.pages !== undefined) return pagesAnswering(operation, operation.pages, options);
  const { idempotency, media } = options;
  const checked = inputCheck(operation);
  const ask = asking(operation, options);
  const streaming = operation.stream && streamAnswering(operation, operation.stream, options);
  return async (request, response) => {
    const input = (): Input =>
      checked({
        params: request.params as Record<string, string>,
        query: request.query,
        body: request.body as unknown,
      });
    if (streaming !== undefined && wantsStream(request)) return streaming(request, response, input());
    if (streams(operation)) {
      const reply = await ask(request, response, input(), { resourceId: randomUUID(), repeated: false });
      await sendObject(request, response, media, reply.body as StreamedObjectOf);
      return;
    }
    const answering: Answering = (asking) =>
      unlessUnused(response, (used) =>
        idempotency.run(operation, request, response, async (resourceId, repeated) => {
          const reply = await asking({ resourceId, repeated });
          if (operation.uploadPasses !== true) used();
          return answerOf(operation, reply, options);
        }),
      );
    if (operation.spoken === true && wantsStream(request))
      return speak(response, answering, (speech, sent) =>
        // With the first piece all is said.
        ask(request, response, speech.state === undefined ? input() : { ...input(), body: {} }, { ...sent, speech }),
      );
    const made = await answering((sent) => ask(request, response, input(), sent));
    const answer =
      operation.browserSession === undefined ? made : inCookies(operation.browserSession, request, response, made);
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    if (operation.qrField !== undefined && (await writePicture(operation.qrField, answer, request, response))) return;
    writeJson(response, answer.status, answer.json);
  };
}

type Answering = (ask: (sent: Sent) => Promise<OperationReply>) => Promise<KeptAnswer>;

/** Lets the answer out piece by piece. */
async function speak(
  response: Response,
  answering: Answering,
  ask: (speech: Speech, sent: Sent) => Promise<OperationReply>,
): Promise<void> {
  const spoken = new SpokenAnswer(response);
  try {
    spoken.end(await answering((sent) => spoken.hear((speech) => ask(speech, sent))));
  } catch (error) {
    spoken.fail(error, stateOf(response).requestId);
  }
}

const streams = ({ answers }: Operation): boolean => Object.values(answers).some(({ streamed }) => streamed === true);

type Ask = (request: Request, response: Response, input: Input, sent: Sent) => Promise<OperationReply>;

/** Asks the owner, once the media in the body are what it takes. */
function asking(operation: Operation, options: AnsweringOptions): Ask {
  const { dispatcher, stopping } = options;
  const takeInMedia = bodyMedia(operation, options);
  return async (request, response, input, sent) => {
    const state = stateOf(response);
    await takeInMedia(input.body, request, state, sent.resourceId);
    const asked = dispatcher.send(operation, request, state, input, sent);
    return operation.stream === undefined && operation.waits !== true ? asked : unlessStopping(asked, stopping);
  };
}

/**
 * Deletes what a request has put into the media store when it was refused, or answered from an earlier one, or only to be
 * read. After anything worse its owner may use it yet.
 */
async function unlessUnused<T>(response: Response, carryOut: (used: () => void) => Promise<T>): Promise<T> {
  let isUsed = false;
  try {
    return await carryOut(() => void (isUsed = true));
  } catch (error) {
    if (statusOf(error) >= 500) isUsed = true;
    throw error;
  } finally {
    if (!isUsed) await stateOf(response).media?.drop();
  }
}

/** Waits for the owner, or for the gateway's stop: a long poll must not hold that up. */
async function unlessStopping(asked: Promise<OperationReply>, stopping: AbortSignal): Promise<OperationReply> {
  const stop = Promise.withResolvers<never>();
  const away = (): void => stop.reject(unavailable('The gateway is stopping.', 1));
  if (stopping.aborted) away();
  stopping.addEventListener('abort', away, { once: true });
  try {
    return await Promise.race([asked, stop.promise]);
  } finally {
    stopping.removeEventListener('abort', away);
  }
}

/** Puts an owner's reply into the form of the contract: envelope, bare, or no body. */
function answerOf(operation: Operation, reply: OperationReply, { clock, checked }: AnsweringOptions): KeptAnswer {
  const contract = operation.answers[reply.status];
  if (checked) checkReply(operation, reply);
  const headers = reply.headers ?? {};
  if (contract?.body === undefined) return { status: reply.status, headers };
  const body =
    contract.envelope === 'data'
      ? { success: true, data: reply.body, meta: { timestamp: new Date(clock.now()).toISOString() } }
      : reply.body;
  return { status: reply.status, headers, json: JSON.stringify(body) };
}

function checkReply(operation: Operation, { status, body }: OperationReply): void {
  const contract = operation.answers[status];
  const wrong = (what: string): Refused =>
    new Refused('INTERNAL_ERROR', `${operation.name} answered ${status}, ${what}`);
  if (contract === undefined) throw wrong('which its contract does not name.');
  if (contract.body === undefined) {
    if (body !== undefined) throw wrong('with a body where its contract has none.');
    return;
  }
  const faults = check(contract.body, structuredClone(body), 'answer');
  if (faults.length > 0)
    throw wrong(`against its contract: ${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}`);
}

/**
 * Writes a whole answer. The body is JSON that was made already, so that a stored one goes out unchanged.
 *
 * @param last false: the answer is whole, and the caller ends it
 */
export function writeJson(response: Response, status: number, json: string | undefined, { last = true } = {}): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (json !== undefined) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(json));
  }
  if (last) response.end(json);
  else response.write(json ?? '');
}
