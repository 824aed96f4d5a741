import { journalSettings } from '@messaging-gateway/service';
import { runProcess, startService } from '@messaging-gateway/service/distributed';
import { gateway, rowOf } from '../../registry.ts';
import { gatewaySettings } from './config.ts';
import { startReplica } from './replica.ts';

/** `ENGINE_HOST=api`: the service sessions runs inside the gateway's process, one replica of it in each gateway. */
const hosted = rowOf('sessions');

export const runWithEngines = (): Promise<void> =>
  runProcess({
    name: 'gateway',
    port: gateway.port,
    tables: { gateway: gatewaySettings, journal: journalSettings, sessions: hosted.settings },
    stopDelayMs: ({ gateway }) => gateway.shutdownDelaySeconds * 1000,
    start: async (context, settings) => {
      const stopReplica = await startReplica(settings.gateway, context);
      const stopSessions = await startService(
        await hosted.module(),
        settings.sessions,
        settings.journal,
        context,
      ).catch(async (error: unknown) => {
        await stopReplica();
        throw error;
      });
      return () => stopReplica(stopSessions);
    },
  });
