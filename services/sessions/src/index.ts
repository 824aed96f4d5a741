import { carriedOutStream, type ServiceModule } from '@messaging-gateway/service';
import { accountStream } from './accounts/account.ts';
import { openWorkspaceGuard } from './accounts/workspaces.ts';
import type { SessionsSettings } from './config.ts';
import { accountsProfilesLeases } from './migrations/0001-accounts-profiles-leases.ts';
import { leasesOfTheLibrary, sessionData } from './migrations/0002-leases-and-session-data.ts';
import { workspaces } from './migrations/0004-workspaces.ts';
import { defaultEngineKind } from './engine/engines.ts';
import { enginesOfLinked } from './migrations/0005-engines-of-linked-profiles.ts';
import { quotas } from './migrations/0006-quotas.ts';
import { quotaGuard } from './profiles/quotas.ts';
import { profileStream } from './profiles/profile.ts';
import { sessionsService } from './service.ts';
import { trafficStream } from './traffic/traffic.ts';
import { accountsChanged, accountsCreated, accountsDeleted } from './accounts/account-table.ts';
import { profilesChanged, profilesCreated, profilesDeleted } from './profiles/profile-table.ts';

export { sessionsSettings } from './config.ts';
export type { SessionsSettings } from './config.ts';

/** Accounts, profiles and their connections to the network. */
export const sessions: ServiceModule<SessionsSettings> = {
  name: 'sessions',
  storage: {
    schema: 'sessions',
    streams: [accountStream, profileStream, trafficStream, carriedOutStream],
    inlineViews: [accountsCreated, accountsChanged, accountsDeleted, profilesCreated, profilesChanged, profilesDeleted],
    guards: [openWorkspaceGuard, quotaGuard],
  },
  migrations: [accountsProfilesLeases, leasesOfTheLibrary, sessionData, workspaces, enginesOfLinked, quotas],
  about: ({ defaultEngine }) => ({ engine: defaultEngineKind(defaultEngine) }),
  connect: sessionsService,
};
