import { randomUUID } from 'node:crypto';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { OperationBus } from '../operations.ts';
import type { Sealing } from '../sealing.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { HeldRoutes } from './held-routes.ts';
import { routeKey } from './names.ts';
import { OperationAnswers } from './operation-answers.ts';
import { OperationRequests } from './operation-requests.ts';
import { OperationServer } from './operation-server.ts';
import { RouteClaims } from './route-claims.ts';

/** How long `serve` waits for its queue when the broker is there, milliseconds; later it follows by itself. */
const serveMs = 10_000;

export interface RabbitMqOperationBusParts {
  /** Everything that is published goes here, and the answers to requests come here. */
  readonly publishing: BrokerConnection;
  /** Only consumes: the broker holds back what publishes when it is short of memory. */
  readonly consuming: BrokerConnection;
  readonly clock: Clock;
  readonly log: Logger;
  readonly connectionWaitMs: number;
  /** A route is bound once for all operations of an owner, and so held by one process for all of them. */
  readonly ownerOf: (operation: string) => string;
  readonly sealing: Sealing | undefined;
}

export interface RabbitMqOperationBus extends OperationBus {
  /** Requests can be sent, and reach all that is served here. */
  isOpen(): boolean;
  /** Serves no more, answers what is in hand, gives up what is asked for. */
  close(): Promise<void>;
}

/** The operation bus over RabbitMQ: direct reply-to, a queue per operation, a queue per replica for its routes. */
export function rabbitMqOperationBus(parts: RabbitMqOperationBusParts): RabbitMqOperationBus {
  const { publishing, consuming, clock, log, connectionWaitMs, ownerOf, sealing } = parts;
  const replica = randomUUID();
  const requests = new OperationRequests({ connection: publishing, clock, log, connectionWaitMs, ownerOf, sealing });
  const answers = new OperationAnswers({ connection: publishing, clock, log, presence: () => routes.queue, sealing });
  const claims = new RouteClaims({ connection: publishing, log, replica });
  const routes: HeldRoutes = new HeldRoutes({ connection: consuming, clock, log, replica, answers, claims });
  const servers = new Set<OperationServer>();

  const serve: OperationBus['serve'] = async (operation, handler, route) => {
    if (route !== undefined) return routes.serve(operation, handler, routeKey(ownerOf(operation), route));
    const server = new OperationServer({ connection: consuming, log, answers }, operation, handler);
    servers.add(server);
    if (consuming.isConnected) await server.whenOpen(serveMs);
    return async () => {
      servers.delete(server);
      await server.stop();
    };
  };

  return {
    request: requests.request,
    serve,
    isOpen: () => requests.isOpen && routes.isOpen && [...servers].every((server) => server.isOpen),
    close: async () => {
      await Promise.all([routes.close(), ...[...servers].map((server) => server.stop())]);
      await Promise.all([answers.close(), requests.close(), claims.close()]);
    },
  };
}
