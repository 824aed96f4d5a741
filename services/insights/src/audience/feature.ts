import { MembersChanged, PreferencesChanged } from '@messaging-gateway/contracts';
import { feature, reaction } from '@messaging-gateway/service';
import type { InsightsTools } from '../tools.ts';
import { audienceMigration } from './20261124100000-audience.migration.ts';
import { joinedAtMigration } from './20261128210000-joined-at.migration.ts';
import { Audience } from './audience.ts';

/** People who are to be told things: members of organizations, as identity knows them. */
export const audience = feature({
  name: 'audience',
  migrations: [audienceMigration, joinedAtMigration],
  connect: (tools: InsightsTools) => {
    const known = new Audience(tools);
    return {
      api: { audience: known },
      hears: [
        reaction(MembersChanged, ({ organizationId }) => known.changed(organizationId)),
        reaction(PreferencesChanged, (_, event) => known.preferencesChanged(event)),
      ],
      personalData: { tables: ['audience_members', 'audiences'] },
    };
  },
});
