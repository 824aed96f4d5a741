import { ListSessions, Logout, Refresh, RevokeOtherSessions, RevokeSession } from '@messaging-gateway/contracts';
import { feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { CredentialUseRow } from '../credential/last-use.ts';
import { access } from '../tools.ts';
import { endOtherSessions, logout, revokeSession } from './ending.ts';
import { housekeeping } from './housekeeping.ts';
import { listSessions } from './listing.ts';
import { refreshing } from './refreshing.ts';
import { sessionStream } from './session.ts';
import { SessionRow, sessionsView } from './sessions-view.ts';
import { passwordGuard } from './starting.ts';

/** Sessions of people: what a login starts, and what its tokens belong to. */
export const sessions = feature({
  name: 'sessions',
  streams: [sessionStream],
  views: [sessionsView],
  guards: [passwordGuard],
  entities: [SessionRow, CredentialUseRow],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      operation(Refresh, refreshing(tools)),
      operation(Logout, (input) => logout(tools, input)),
      operation(ListSessions, (input) => listSessions(tools, input)),
      operation(RevokeSession, (input) => revokeSession(tools, input)),
      operation(RevokeOtherSessions, async ({ caller, context }) => ({
        revokedCount: await endOtherSessions(tools, 'revoked', caller, context),
      })),
    ],
    jobs: [housekeeping(tools)],
  }),
});
