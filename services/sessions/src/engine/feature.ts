import { feature, type ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { linkPreviews } from '../link-preview/link-previews.ts';
import { enginesOf } from './engines.ts';
import { socketEngine } from './socket/socket-engine.ts';

/** The engines that this installation can run. */
export const engines = feature({
  name: 'engines',
  connect: ({ settings, clock, log }: ServiceTools<SessionsSettings>) => {
    const { socketUrl: url, socketRootKey: rootKey, socketCaFile: caFile, clientVersion } = settings;
    const preview = linkPreviews({ allowPrivate: settings.allowPrivateTargets });
    const socket = socketEngine({ url, rootKey, caFile, clientVersion }, { clock, log, preview });
    const api = enginesOf([socket], settings.defaultEngine);
    const sayEngine = {
      start: async () => log.info('Engine of profiles that name none', { engine: api.defaultKind }),
      stop: async () => undefined,
    };
    return { api, running: [sayEngine] };
  },
});
