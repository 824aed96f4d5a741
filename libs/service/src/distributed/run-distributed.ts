import { encryptionKeys, isWeak, type SettingsOf, type SettingsTable } from '@messaging-gateway/runtime';
import type { ServiceModule } from '../module.ts';
import { runService } from '../run-service.ts';
import { journalSettings } from '../settings/distributed-settings.ts';
import { answerAlive } from './alive.ts';
import { handledOverRedis } from './handled-over-redis.ts';
import { runProcess, type ProcessContext } from './process.ts';

/**
 * Runs one service in this process, over RabbitMQ, Kafka, Redis and PostgreSQL, until it is told to stop. All faults
 * of its settings are named at once; whatever is not there yet is waited for.
 */
export async function runDistributed<Table extends SettingsTable>(
  module: ServiceModule<SettingsOf<Table>>,
  { settings: service, port }: { readonly settings: Table; readonly port: number },
): Promise<void> {
  await runProcess({
    name: module.name,
    port,
    tables: { journal: journalSettings, service },
    start: (context, settings) => startService(module, settings.service, settings.journal, context),
  });
}

/**
 * Starts a service inside a process of a distributed installation.
 *
 * @returns stops it: first the intake, then lanes and sockets, then reactions and the telling of events
 */
export async function startService<Settings>(
  module: ServiceModule<Settings>,
  settings: Settings,
  journal: SettingsOf<typeof journalSettings>,
  context: ProcessContext,
): Promise<() => Promise<void>> {
  const { connections, ...host } = context;
  const { ports, redis } = connections;
  if (isWeak(journal.encryptionKey))
    host.log.warn('ENCRYPTION_KEY is weak: take a random one, with this one in ENCRYPTION_KEY_PREVIOUS');
  const handled = handledOverRedis(redis, module.name, host.log);
  const service = await runService(module, settings, {
    ...host,
    ports,
    cache: redis.cache,
    encryption: encryptionKeys(journal.encryptionKey, journal.previousEncryptionKeys),
    // A journal must be able to take in a receipt for as long as outbound does.
    retentionDays: Math.max(journal.eventRetentionDays, journal.receiptWindowDays),
    handledElsewhere: handled,
  });
  const stopAnswering = await answerAlive(ports.operations, module.name, module.about?.(settings));
  return async () => {
    await stopAnswering();
    await service.stop();
    await handled.close();
  };
}
