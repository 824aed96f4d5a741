import { runProcess } from '@messaging-gateway/service/distributed';
import { gateway } from '../../registry.ts';
import { gatewaySettings } from './config.ts';
import { startReplica } from './replica.ts';

if (process.env['ENGINE_HOST']?.trim() === 'worker')
  // Neither Kafka nor the key of sealed data is needed.
  await runProcess({
    name: 'gateway',
    port: gateway.port,
    tables: { gateway: gatewaySettings },
    events: false,
    stopDelayMs: ({ gateway }) => gateway.shutdownDelaySeconds * 1000,
    start: (context, { gateway }) => startReplica(gateway, context),
  });
else await (await import('./with-engines.ts')).runWithEngines();
