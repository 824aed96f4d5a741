import { journalSettings } from '@messaging-gateway/service';
import { runProcess, startService } from '@messaging-gateway/service/distributed';
import { defaultEngineKind, sessions, sessionsSettings } from '@messaging-gateway/sessions';
import { gatewaySettings } from './config.ts';
import { startReplica } from './replica.ts';

/** `ENGINE_HOST=api`: the service sessions runs inside the gateway's process, one replica of it in each gateway. */
export const runWithEngines = (): Promise<void> =>
  runProcess({
    name: 'gateway',
    tables: { gateway: gatewaySettings, journal: journalSettings, sessions: sessionsSettings },
    stopDelayMs: ({ gateway }) => gateway.shutdownDelaySeconds * 1000,
    start: async (context, settings) => {
      const stopReplica = await startReplica(settings.gateway, context);
      const about = { engine: defaultEngineKind(settings.sessions.defaultEngine) };
      const stopSessions = await startService(
        { module: sessions, about: () => about },
        settings.sessions,
        settings.journal,
        context,
      ).catch(async (error: unknown) => {
        await stopReplica();
        throw error;
      });
      return async () => {
        await stopReplica();
        await stopSessions();
      };
    },
  });
