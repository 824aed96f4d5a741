import type { Logger } from '@messaging-gateway/runtime';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { forgetSession } from '../browser-session/browser-session.ts';
import { errorAnswer, refusedOf } from '../request/error-answer.ts';
import { stateOf } from '../request/request-state.ts';
import { writeJson } from './routes.ts';

/** The last handler: answers every error, and logs those that are not the caller's. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { requestId, operation } = stateOf(response);
    const refused = refusedOf(error);
    const answer = errorAnswer(refused, requestId);
    if (answer.status >= 500) {
      const fields = { requestId, operation: operation?.name, code: refused.code, reason: refused.message };
      if (refused === error) log.warn('request failed', fields);
      else log.error('request failed', { ...fields, error: error instanceof Error ? error.stack : String(error) });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (operation !== undefined) forgetSession(operation, request, response, error);
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    const json = JSON.stringify(answer.body);
    if (leavesUnread(request, response)) answerUnread(request, response, answer.status, json);
    else writeJson(response, answer.status, json);
  };
}

/** So long a client may go on sending what nobody will read, milliseconds. */
const lingerMs = 2_000;

/** Whether this answer ends a connection on which a body is still under way. */
const leavesUnread = (request: Request, response: Response): boolean =>
  !request.complete && response.getHeader('connection') === 'close';

/**
 * Answers before the body was read. The answer goes out whole at once; the connection ends when the body has, or after a
 * moment: closed at once it would be reset, and a client that still writes would lose the answer.
 */
function answerUnread(request: Request, response: Response, status: number, json: string): void {
  const end = response.end.bind(response) as () => void;
  writeJson(response, status, json, { last: false });
  const timer = setTimeout(end, lingerMs).unref();
  const over = (): void => {
    clearTimeout(timer);
    end();
  };
  request.once('end', over).once('close', over).once('error', over).resume();
}
