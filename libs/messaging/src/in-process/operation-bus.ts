import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { jsonCopy, type Clock } from '@messaging-gateway/runtime';
import { faultOf, refusedFrom } from '../fault.ts';
import { unseen, type OperationBus, type OperationHandler } from '../operations.ts';
import { unavailable } from '../refused.ts';

interface Server {
  readonly handler: OperationHandler;
  readonly running: Set<Promise<unknown>>;
}

/** The operation bus of a single process. Requests and answers are copied as JSON, as they would be on a wire. */
export function inProcessOperationBus(options: { readonly clock: Clock }): OperationBus {
  const { clock } = options;
  const places = new Map<string, Server[]>();
  const placeOf = (operation: string, route: string | undefined): string =>
    route === undefined ? operation : `${operation} ${route}`;

  const request: OperationBus['request'] = async (operation, asked, { route } = {}) => {
    const servers = places.get(placeOf(operation, route));
    const server = servers?.[0];
    if (servers === undefined || server === undefined) throw unavailable(operation, 'is served by nobody now', unseen);
    if (clock.now() >= asked.deadline) throw unavailable(operation, 'came too late', unseen);
    if (servers.length > 1) servers.push(servers.shift() as Server);
    const answer = carryOut(server, jsonCopy(asked));
    return before(clock, asked.deadline, answer, () => unavailable(operation, 'was not answered in time'));
  };

  const serve: OperationBus['serve'] = async (operation, handler, route) => {
    const place = placeOf(operation, route);
    const servers = places.get(place) ?? [];
    if (route !== undefined && servers.length > 0) throw new Error(`${operation} is served at ${route} already.`);
    const server: Server = { handler, running: new Set() };
    servers.push(server);
    places.set(place, servers);
    return async () => {
      const index = servers.indexOf(server);
      if (index >= 0) servers.splice(index, 1);
      if (index >= 0 && servers.length === 0) places.delete(place);
      await Promise.allSettled(server.running);
    };
  };

  return { request, serve };
}

function carryOut(server: Server, asked: OperationRequest): Promise<OperationReply> {
  const running = answerOf(server.handler, asked);
  server.running.add(running);
  const settled = (): void => void server.running.delete(running);
  running.then(settled, settled);
  return running;
}

async function answerOf(handler: OperationHandler, asked: OperationRequest): Promise<OperationReply> {
  try {
    return jsonCopy(await handler(asked));
  } catch (error) {
    throw refusedFrom(jsonCopy(faultOf(error)));
  }
}

function before<T>(clock: Clock, deadline: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(deadline, () => reject(late()));
    const settled = (settle: () => void): void => {
      cancel();
      settle();
    };
    work.then(
      (value) => settled(() => resolve(value)),
      (error: Error) => settled(() => reject(error)),
    );
  });
}
