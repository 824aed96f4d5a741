import { Counter } from 'prom-client';
import { feature, type ServiceTools } from '@messaging-gateway/service';
import type { Metrics } from '@messaging-gateway/runtime';
import type { SessionsSettings } from '../config.ts';
import { linkPreviews } from '../link-preview/link-previews.ts';
import { enginesOf } from './engines.ts';
import { socketEngine } from './socket/socket-engine.ts';

/** The engines that this installation can run. */
export const engines = feature({
  name: 'engines',
  connect: ({ settings, clock, log, metrics }: ServiceTools<SessionsSettings>) => {
    const { socketUrl: url, socketRootKey: rootKey, socketCaFile: caFile, clientVersion } = settings;
    const preview = linkPreviews({ allowPrivate: settings.allowPrivateTargets });
    const ignoredTotal = ignoredMetric(metrics);
    const ignored = (kind: string): void => {
      ignoredTotal.inc({ kind });
      log.debug('Inbound message ignored on purpose', { kind });
    };
    const socket = socketEngine({ url, rootKey, caFile, clientVersion }, { clock, log, preview, ignored });
    const api = enginesOf([socket], settings.defaultEngine);
    const sayEngine = {
      start: async () => log.info('Engine of profiles that name none', { engine: api.defaultKind }),
      stop: async () => undefined,
    };
    return { api, running: [sayEngine] };
  },
});

function ignoredMetric(registry: Metrics): Counter<'kind'> {
  const name = 'inbound_ignored_total';
  registry.removeSingleMetric(name);
  return new Counter({
    name,
    help: 'Decrypted messages from the network that are neither content nor a change of another message, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
}
