import { GetProfileHealth, ProfileHealth } from '@messaging-gateway/contracts';
import { every, feature, operation, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { profileHealthTable } from '../profiles/0010-profile-health.migration.ts';
import { countRestricted, expiredRestrictions, healthViews } from '../profiles/health-table.ts';
import { healthStream } from '../profiles/health.ts';
import { getProfileHealth } from './operations.ts';

/** Restrictions and quotas that the network puts on accounts. Holders receive them (`account-health.ts`). */
export const health = feature({
  name: 'health',
  streams: [healthStream],
  views: healthViews,
  migrations: [profileHealthTable],
  tells: [
    tells(healthStream, {
      RestrictionSet: ({ data: { profileId: id, restriction } }) => [publication(ProfileHealth, { id, restriction })],
      RestrictionEnded: ({ data: { profileId: id } }) => [publication(ProfileHealth, { id, restriction: null })],
      NewChatsReported: ({ data: { profileId: id, newChats } }) => [publication(ProfileHealth, { id, newChats })],
    }),
  ],
  connect: (tools: ServiceTools<SessionsSettings>) => ({
    rows: [operation(GetProfileHealth, (input) => getProfileHealth(tools, input))],
    jobs: [every('1s', 'restrictions that have ended', () => endRestrictions(tools), { alone: true })],
    metrics: [
      {
        name: 'sessions_profiles_restricted',
        help: 'Profiles whose account the network has restricted, of all replicas',
        look: async () => [{ value: await countRestricted(tools.sql, tools.clock.now()) }],
      },
    ],
    personalData: { tables: ['profile_health'] },
  }),
});

/** Records the end of restrictions that nobody lifted, also of profiles that nobody holds. */
async function endRestrictions({ sql, store, clock }: ServiceTools<SessionsSettings>): Promise<void> {
  const at = clock.now();
  for (const { profile_id: profileId, organization_id: organizationId } of await expiredRestrictions(sql, at)) {
    const subject = `organization:${organizationId}`;
    const metadata = { organizationId, profileId, subject, actor: 'service:sessions' };
    await store.handle(healthStream, profileId, { type: 'Expire', profileId, at }, { metadata });
  }
}
