import type { OperationRequest } from '@messaging-gateway/contracts';
import { inProcessOperationBus, Refused } from '@messaging-gateway/messaging';
import { openRabbitMq } from '@messaging-gateway/messaging/brokers';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, systemClock as clock } from '@messaging-gateway/runtime';
import { prepareService } from '@messaging-gateway/service';
import { Registry } from 'prom-client';
import { outbound } from '../index.ts';
import type { Asked, Answered, ReplicaOptions } from './replica-process.ts';
import { noOtherChannels } from './other-channels.ts';

/** A replica of outbound in a process of its own: what is routed comes over RabbitMQ, the rest from the test. */
const options = JSON.parse(process.argv[2] ?? '') as ReplicaOptions;
const log = silentLogger;
const broker = openRabbitMq({ url: options.brokerUrl, clock, log });
const door = inProcessOperationBus({ clock });
const service = await prepareService(
  outbound,
  {
    durableSend: options.durableSend,
    sendConcurrency: 10,
    rebalanceSeconds: 0,
    queuedMessageTtlHours: 72,
    receiptWindowDays: 90,
    sendHistoryRetentionDays: 400,
    ...noOtherChannels,
    isAlone: false,
    allowPrivateTargets: false,
    ffmpeg: undefined,
  },
  {
    ports: {
      operations: {
        request: broker.operations.request,
        serve: (name, handler, route) => (route === undefined ? door : broker.operations).serve(name, handler, route),
      },
      events: { publishFrom: async () => async () => undefined, subscribe: async () => async () => undefined },
    },
    databaseUrl: options.databaseUrl,
    connections: 6,
    clock,
    log,
    metrics: new Registry(),
    cache: memoryCache(clock),
    media: noMedia,
    encryption: encryptionKeys('a test key with 32 characters...'),
  },
);
await service.start();

const refusalOf = (error: unknown): Answered['refusal'] =>
  error instanceof Refused
    ? { code: error.code, message: error.message, details: error.details }
    : { code: 'INTERNAL_ERROR', message: String(error) };

process.on('message', ({ id, operation, request }: Asked) => {
  const answer = (answered: Omit<Answered, 'id'>): void => void process.send?.({ id, ...answered } satisfies Answered);
  door.request(operation, request as OperationRequest).then(
    (reply) => answer({ reply }),
    (error: unknown) => answer({ refusal: refusalOf(error) }),
  );
});
process.on('SIGTERM', () => {
  void (async () => {
    await service.stopIntake();
    await service.close();
    await broker.close();
    process.exit(0);
  })();
});
process.on('disconnect', () => process.exit(1));
process.send?.('ready');
