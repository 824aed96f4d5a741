import { inProcessEventBus } from '@messaging-gateway/messaging';
import { openRabbitMq } from '@messaging-gateway/messaging/brokers';
import { noMedia } from '@messaging-gateway/media/testing';
import { createLogger, encryptionKeys, memoryCache, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { prepareService } from '@messaging-gateway/service';
import { Registry } from 'prom-client';
import { sessions } from '../index.ts';
import { sessionKey } from './engine-harness.ts';
import { testSettings } from './fakes.ts';
import type { ReplicaOptions } from './replica-process.ts';

/** A replica of sessions in a process of its own: requests over RabbitMQ, session data in PostgreSQL. */
const options = JSON.parse(process.argv[2] ?? '') as ReplicaOptions;
const clock = systemClock;
const log = options.logs ? createLogger({ level: 'debug', json: true }) : silentLogger;
const broker = openRabbitMq({ url: options.brokerUrl, clock, log });
const service = await prepareService(
  sessions,
  { ...testSettings(options.network, '/nonexistent'), isAlone: false, ...options.settings },
  {
    ports: { operations: broker.operations, events: inProcessEventBus({ clock, log }) },
    databaseUrl: options.databaseUrl,
    clock,
    log,
    metrics: new Registry(),
    cache: memoryCache(clock),
    media: noMedia,
    encryption: encryptionKeys(sessionKey),
  },
);
await service.start();

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
