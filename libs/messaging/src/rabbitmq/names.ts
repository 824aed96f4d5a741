/** The queue of an operation: all replicas of its owner take from it in turn. */
export const operationQueue = (operation: string): string => `operation.${operation}`;

/**
 * Durable, because brokers refuse queues that are neither durable nor exclusive; gone with its last consumer, so that
 * a request that nobody serves comes back at once. After a restart of the broker it waits so long for its servers.
 */
export const operationQueueOptions = { durable: true, autoDelete: true, expires: 30_000 } as const;

/** Requests to one instance. The queue of each replica is bound to it with the keys of the routes that it holds. */
export const routesExchange = 'routes';
export const routeKey = (owner: string, route: string): string => `${owner} ${route}`;
export const routesQueue = (replica: string): string => `routes.${replica}`;

export const commandQueueName = (owner: string, name: string): string => `command.${owner}.${name}`;

/** More redeliveries than this queue ever sees: the consumer itself gives up commands that end its process. */
const noDeliveryLimit = 1_000_000;

/**
 * One process takes at a time, in order; the next one takes over when it is gone. These arguments of a queue cannot be
 * changed later; a lower limit can be set by a policy (`infra/rabbitmq/README.md`).
 *
 * @param maxLength commands that wait, at most; beyond it `send` fails
 */
export const commandQueueOptions = (maxLength: number): { durable: true; arguments: Record<string, unknown> } => ({
  durable: true,
  arguments: {
    'x-queue-type': 'quorum',
    'x-single-active-consumer': true,
    'x-delivery-limit': noDeliveryLimit,
    'x-max-length': maxLength,
    'x-overflow': 'reject-publish',
  },
});

/** Types of messages beside requests and answers, told apart from the names of operations. */
export const probeType = 'probe';
/** Says which replica has a request in hand. */
export const takenType = 'taken';

/** Where seals of requests and answers hold: an answer's only for that very request, when this was sealed. */
export const requestPlace = (operation: string): string => `request ${operation}`;
export const answerPlace = (seal: unknown): string => `answer ${typeof seal === 'string' ? seal : ''}`;
