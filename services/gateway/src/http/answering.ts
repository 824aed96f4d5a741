import { randomUUID } from 'node:crypto';
import { check, type Operation, type OperationReply, type StreamedObjectOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { unavailable, type Dispatcher, type Sent } from '../dispatch/dispatcher.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { KeptAnswer } from '../idempotency/sealed-answer.ts';
import { bodyMedia, type BodyMediaOptions } from '../media/body-media.ts';
import { sendObject } from '../media/object-answer.ts';
import { statusOf } from '../request/error-answer.ts';
import { stateOf, type Input } from '../request/request-state.ts';
import { inputCheck } from './input.ts';
import { pagesAnswering } from './pages.ts';
import { writePicture } from './qr-picture.ts';
import { streamAnswering, wantsStream, type StreamOptions } from './server-sent-events.ts';

export interface AnsweringOptions extends BodyMediaOptions, StreamOptions {
  readonly dispatcher: Dispatcher;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  /** In tests: an owner whose answer is not what its contract says fails loudly. */
  readonly checked: boolean;
}

/** The last step of a route: checks the input, asks the owner, answers. */
export function answering(operation: Operation, options: AnsweringOptions): RequestHandler {
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
    const answer = await unlessUnused(response, (used) =>
      idempotency.run(operation, request, response, async (resourceId, repeated) => {
        const reply = await ask(request, response, input(), { resourceId, repeated });
        used();
        return answerOf(operation, reply, options);
      }),
    );
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    if (operation.qrField !== undefined && (await writePicture(operation.qrField, answer, request, response))) return;
    writeJson(response, answer.status, answer.json);
  };
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
 * Deletes what a request has put into the media store when it was refused, or answered from an earlier one. After
 * anything worse its owner may use it yet.
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
