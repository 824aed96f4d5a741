import { mediaSources } from '@messaging-gateway/media';
import type { ServiceTools } from '@messaging-gateway/service';
import { Accounts } from './accounts/accounts.ts';
import type { SessionsSettings } from './config.ts';
import { ProfilesHeld } from './holding/profiles-held.ts';
import { QrCodes } from './connection/qr-codes.ts';
import { enginesOf } from './engine/engines.ts';
import { Slots } from './fairness/slots.ts';
import { socketEngine } from './engine/socket/socket-engine.ts';
import { Groups } from './groups/groups.ts';
import { linkPreviews } from './link-preview/link-previews.ts';
import { sessionsMetrics } from './metrics.ts';
import { ConnectionControl } from './holding/connection-control.ts';
import { DeletedProfiles } from './holding/deleted-profiles.ts';
import { Profiles } from './profiles/profiles.ts';
import { LateStore } from './session-data/late-store.ts';
import { openLmdbStore } from './session-data/lmdb/lmdb-store.ts';
import { openPostgresStore } from './session-data/postgres/postgres-store.ts';

/** Each streams; more would only share the line. */
const downloadsAtOnce = 8;

/** Builds the parts of the service and says how they start and stop. */
export function partsOf(tools: ServiceTools<SessionsSettings>) {
  const { settings, clock, log, cache, encryption } = tools;
  const { socketUrl: url, socketRootKey: rootKey, socketCaFile: caFile, clientVersion } = settings;
  const policy = { allowPrivate: settings.allowPrivateTargets };
  const engines = enginesOf(
    [socketEngine({ url, rootKey, caFile, clientVersion }, { clock, log, preview: linkPreviews(policy) })],
    settings.defaultEngine,
  );
  const qrCodes = new QrCodes(cache, encryption);
  const metrics = sessionsMetrics(tools.metrics, () => held.statuses());
  const { committed: onCommit } = metrics;
  const sessions = new LateStore(() =>
    settings.isAlone
      ? openLmdbStore({ directory: settings.directory, encryption, onCommit })
      : openPostgresStore({ sql: tools.sql, encryption, onCommit }),
  );
  const held: ProfilesHeld = new ProfilesHeld({
    tools,
    engines,
    sessions,
    qrCodes,
    metrics,
    sources: mediaSources({ store: tools.media, policy }),
    downloads: new Slots(downloadsAtOnce),
  });
  const accounts = new Accounts(tools);
  const profiles = new Profiles({ tools, accounts, engines });
  const groups = new Groups({ tools, engines });
  const deleted = new DeletedProfiles({ tools, held, sessions });
  const control = new ConnectionControl({ tools, held, engines, qrCodes, deleted });
  const sayEngine = {
    start: async () => log.info('Engine of profiles that name none', { engine: engines.defaultKind }),
    stop: async () => undefined,
  };
  return {
    accounts,
    profiles,
    groups,
    control,
    held,
    engines,
    running: [sayEngine, sessions, held],
    jobs: [...held.jobs, deleted.job],
  };
}
