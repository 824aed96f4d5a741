import { DEF_MEDIA_HOST } from '@whiskeysockets/baileys';
import { Agent, Dispatcher1Wrapper, type Dispatcher } from 'undici';

/** More than any portion of history, bytes. */
const wholeLimit = 128 * 1024 * 1024;

/**
 * Downloads that the client library makes by itself, which are history. It listens for no error of a response's body, so that
 * a connection that breaks would end the process: here a response is handed on whole, or the request fails. The notice
 * of history names no host, and the library asks the real network's: on another network it is refused.
 *
 * @param ca certificates of authorities beside the usual ones
 * @returns for the `fetch` of Node.js
 */
export function libraryDownloads(ca: string | undefined, isRealNetwork: boolean, limit = wholeLimit): Dispatcher {
  const agent = new Agent(ca === undefined ? {} : { connect: { ca } });
  const composed = agent.compose(
    (dispatch) => (request, handler) => dispatch(request, new WholeResponse(handler, limit)),
    (dispatch) => (request, handler) => {
      if (isRealNetwork || request.origin?.toString() !== `https://${DEF_MEDIA_HOST}`)
        return dispatch(request, handler);
      throw new Error(`${DEF_MEDIA_HOST} is no host of this network.`);
    },
  );
  return new Dispatcher1Wrapper(composed);
}

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** Gathers a response and hands it on when it has ended. */
class WholeResponse implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #limit: number;
  readonly #parts: Buffer[] = [];
  #size = 0;
  #start: (controller: Controller) => void = () => undefined;
  #rawHeaders: Controller['rawHeaders'] = null;

  constructor(handler: Dispatcher.DispatchHandler, limit: number) {
    this.#handler = handler;
    this.#limit = limit;
  }

  onRequestStart(controller: Controller, context: object): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    this.#rawHeaders = controller.rawHeaders ?? null;
    this.#start = (whole) => this.#handler.onResponseStart?.(whole, status, headers, message);
  }

  onResponseData(controller: Controller, part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#limit) controller.abort(new Error(`The response has more than ${this.#limit} bytes.`));
    else this.#parts.push(Buffer.from(part));
  }

  onResponseEnd(
    controller: Controller,
    trailers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>[1],
  ): void {
    // The connection may serve others by now: the reader's pauses no longer concern it.
    const whole = {
      paused: false,
      aborted: false,
      reason: null,
      rawHeaders: this.#rawHeaders,
      rawTrailers: controller.rawTrailers ?? null,
      abort: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
    } as unknown as Controller;
    this.#start(whole);
    for (const part of this.#parts) this.#handler.onResponseData?.(whole, part);
    this.#handler.onResponseEnd?.(whole, trailers);
  }

  onResponseError(controller: Controller, error: Error): void {
    this.#handler.onResponseError?.(controller, error);
  }
}
