/** The queue of an operation: all replicas of its owner take from it in turn. */
export const operationQueue = (operation: string): string => `operation.${operation}`;

/**
 * Stands in for the queue of an operation while that one is away with its node of a RabbitMQ cluster. Asked only when the other one is not there, and
 * declared only then: on a node that lives.
 */
export const spareQueue = (operation: string): string => `operation.${operation}.spare`;

/**
 * Durable, because brokers refuse queues that are neither durable nor exclusive; gone with its last consumer, so that
 * a request that nobody serves comes back at once. After a restart of the broker it waits so long for its servers.
 */
export const operationQueueOptions = { durable: true, autoDelete: true, expires: 30_000 } as const;

/** Requests to one instance. The queue of each replica is bound to it with the keys of the routes that it holds. */
export const routesExchange = 'routes';
export const routeKey = (owner: string, route: string): string => `${owner} ${route}`;
export const routesQueue = (replica: string): string => `routes.${replica}`;

/** Types of messages beside requests and answers, told apart from the names of operations. */
export const probeType = 'probe';
/** Says which replica has a request in hand. */
export const takenType = 'taken';

/** Where seals of requests and answers hold: an answer's only for that very request, when this was sealed. */
export const requestPlace = (operation: string): string => `request ${operation}`;
export const answerPlace = (seal: unknown): string => `answer ${typeof seal === 'string' ? seal : ''}`;
