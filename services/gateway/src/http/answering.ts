import { randomUUID } from 'node:crypto';
import type { Operation, OperationReply } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { Request, RequestHandler, Response } from 'express';
import type { Authenticate } from '../access/authenticate.ts';
import { authorize } from '../access/authorize.ts';
import { unavailable, type Dispatcher } from '../dispatch/dispatcher.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { inputCheck, type Input } from './input.ts';
import { writeJson } from './json-answer.ts';
import { answerOf } from './reply.ts';
import { stateOf } from './request-state.ts';
import { streamEvents, wantsStream } from './server-sent-events.ts';

export interface AnsweringOptions {
  readonly dispatcher: Dispatcher;
  readonly idempotency: Idempotency;
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  /** Owners' answers are checked against their contracts. */
  readonly checked: boolean;
  /** Aborted when the gateway stops: who waits for news is sent away. */
  readonly stopping: AbortSignal;
}

/** The last step of a route: checks the input, asks the owner, answers. */
export function answering(operation: Operation, options: AnsweringOptions): RequestHandler {
  const { dispatcher, idempotency, stopping } = options;
  const checked = inputCheck(operation);
  return async (request, response) => {
    const state = stateOf(response);
    const input = (): Input =>
      checked({
        params: request.params as Record<string, string>,
        query: request.query,
        body: request.body as unknown,
      });
    if (operation.stream !== undefined && wantsStream(request)) {
      await stream(operation, request, response, input(), options);
      return;
    }
    const answer = await idempotency.run(operation, request, response, async (resourceId, repeated) => {
      const asked = dispatcher.send(operation, request, state, input(), { resourceId, repeated });
      const reply = await (operation.stream === undefined ? asked : unlessStopping(asked, stopping));
      return answerOf(operation, reply, options);
    });
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    writeJson(response, answer.status, answer.json);
  };
}

async function stream(
  operation: Operation,
  request: Request,
  response: Response,
  input: Input,
  options: AnsweringOptions,
): Promise<void> {
  const { dispatcher, stopping, authenticate } = options;
  const { stream: spec } = operation;
  if (spec === undefined) return;
  const state = stateOf(response);
  await streamEvents(request, response, input, {
    spec,
    stopping,
    ask: (query) => {
      const sent = { resourceId: randomUUID(), repeated: false };
      return dispatcher.send(operation, request, state, { ...input, query: { ...query } }, sent);
    },
    stillAllowed: async () => {
      if (operation.access === 'public') return;
      await authenticate(request, response);
      authorize(operation, state);
    },
  });
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
