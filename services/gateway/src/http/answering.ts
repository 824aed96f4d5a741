import { randomUUID } from 'node:crypto';
import type { Operation, OperationReply, StreamedObjectOf } from '@messaging-gateway/contracts';
import type { MediaStore } from '@messaging-gateway/media';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Request, RequestHandler, Response } from 'express';
import type { Authenticate } from '../access/authenticate.ts';
import { authorize } from '../access/authorize.ts';
import { unavailable, type Dispatcher, type Sent } from '../dispatch/dispatcher.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { sendObject } from '../media/object-answer.ts';
import type { MediaQuota } from '../media/media-quota.ts';
import { ownUrls } from '../media/own-urls.ts';
import { RequestMedia } from '../media/request-media.ts';
import { base64Fields, storeBase64 } from '../media/store-base64.ts';
import { statusOf } from './errors.ts';
import { inputCheck, type Input } from './input.ts';
import { writeJson } from './json-answer.ts';
import type { OpenStreams } from './open-streams.ts';
import { pagesAnswering } from './pages.ts';
import { answerOf } from './reply.ts';
import { stateOf } from './request-state.ts';
import { streamEvents, wantsStream } from './server-sent-events.ts';

export interface AnsweringOptions {
  readonly dispatcher: Dispatcher;
  readonly idempotency: Idempotency;
  readonly authenticate: Authenticate;
  readonly media: MediaStore;
  readonly quota: MediaQuota;
  readonly streams: OpenStreams;
  readonly clock: Clock;
  readonly log: Logger;
  /** Owners' answers are checked against their contracts. */
  readonly checked: boolean;
  /** Aborted when the gateway stops: who waits for news is sent away. */
  readonly stopping: AbortSignal;
}

/** The last step of a route: checks the input, asks the owner, answers. */
export function answering(operation: Operation, options: AnsweringOptions): RequestHandler {
  if (operation.pages !== undefined) return pagesAnswering(operation, operation.pages, options);
  const { idempotency, media } = options;
  const checked = inputCheck(operation);
  const ask = asking(operation, options);
  return async (request, response) => {
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
    writeJson(response, answer.status, answer.json);
  };
}

const streams = ({ answers }: Operation): boolean => Object.values(answers).some(({ streamed }) => streamed === true);

type Ask = (request: Request, response: Response, input: Input, sent: Sent) => Promise<OperationReply>;

/** Asks the owner; media in the body are put into the store before. */
function asking(operation: Operation, { dispatcher, media, quota, log, stopping }: AnsweringOptions): Ask {
  const fields = base64Fields(operation.body);
  const withoutOwnHost = ownUrls(operation);
  return async (request, response, input, sent) => {
    withoutOwnHost(input.body, request);
    const state = stateOf(response);
    const { organizationId } = state.caller ?? {};
    if (fields.length > 0 && organizationId !== undefined) {
      const put = (state.media ??= new RequestMedia(media, quota, log));
      await storeBase64(input.body, fields, { organizationId, id: sent.resourceId, put });
    }
    const asked = dispatcher.send(operation, request, state, input, sent);
    return operation.stream === undefined ? asked : unlessStopping(asked, stopping);
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

async function stream(
  operation: Operation,
  request: Request,
  response: Response,
  input: Input,
  options: AnsweringOptions,
): Promise<void> {
  const { dispatcher, stopping, authenticate, streams: open } = options;
  const { stream: spec } = operation;
  if (spec === undefined) return;
  const state = stateOf(response);
  const over = open.enter(state.caller?.organizationId ?? '');
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
  }).finally(over);
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
