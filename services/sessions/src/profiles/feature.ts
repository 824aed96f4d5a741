import {
  ConnectionDisconnected,
  ConnectionQr,
  ConnectionReady,
  ConnectionUpdate,
  CountProfiles,
  CreateAccountProfile,
  CreateProfile,
  DeleteFromAddressBook,
  DescribeProfile,
  GetAccountProfile,
  GetProfile,
  ListAccountProfiles,
  ListProfiles,
  ProfileCreated,
  ProfileDeleted,
  SaveToAddressBook,
  UpdateProfile,
} from '@messaging-gateway/contracts';
import {
  feature,
  internalOperation,
  operation,
  publication,
  tells,
  type PersonalSection,
  type ServiceTools,
} from '@messaging-gateway/service';
import { accounts } from '../accounts/feature.ts';
import type { SessionsSettings } from '../config.ts';
import { engines } from '../engine/feature.ts';
import { accountsProfilesLeases } from './0001-accounts-profiles-leases.migration.ts';
import { enginesOfLinked } from './0005-engines-of-linked-profiles.migration.ts';
import { handoverMinutesTable } from './0009-handover-minutes.migration.ts';
import { sendingLimitsTables } from './0011-sending-limits.migration.ts';
import { quotas } from './0006-quotas.migration.ts';
import { handoverMinutesStream, handoverMinutesViews, minutesOfProfile } from './handover-minutes.ts';
import { profileStream } from './profile.ts';
import { countConnected, profileViews } from './profile-table.ts';
import { Profiles } from './profiles.ts';
import { quotaGuard } from './quotas.ts';
import { sendingLimitsStream, sendingLimitsViews } from './sending-limits.ts';

const told = tells(profileStream, {
  ProfileCreated: ({ data: { profileId, accountId, workspaceId, name } }) => [
    publication(ProfileCreated, { profileId, accountId, workspaceId, name }),
  ],
  ProfileDeleted: ({ data: { profileId } }) => [publication(ProfileDeleted, { profileId })],
  StatusChanged: ({ data: { status, reason } }) => [
    publication(ConnectionUpdate, { status, ...(reason !== undefined && { reason }) }),
  ],
  QrShown: ({ data }) => [publication(ConnectionQr, data)],
  Connected: ({ data: { phoneNumber, pushName } }) => [
    publication(ConnectionUpdate, { status: 'connected' }),
    publication(ConnectionReady, { phoneNumber, pushName: pushName ?? null }),
  ],
  Disconnected: ({ data: { reason } }) => [publication(ConnectionDisconnected, { reason })],
});

const section: PersonalSection = {
  name: 'profiles',
  ofOrganization: true,
  sql: `
  SELECT id::text AS key, jsonb_build_object('id', id, 'accountId', account_id, 'name', name, 'phoneNumber', phone_number,
         'pushName', push_name, 'status', status, 'engine', engine, 'handoverMinutes', ${minutesOfProfile}, 'lastConnectedAt', last_connected_at,
         'createdAt', created_at, 'updatedAt', updated_at) AS item
    FROM profiles WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`,
};

/** Profiles as resources: what they are called, how they send, where their connections stand. */
export const profiles = feature({
  name: 'profiles',
  streams: [profileStream, handoverMinutesStream, sendingLimitsStream],
  views: [...profileViews, ...handoverMinutesViews, ...sendingLimitsViews],
  guards: [quotaGuard],
  migrations: [accountsProfilesLeases, enginesOfLinked, quotas, handoverMinutesTable, sendingLimitsTables],
  tells: [told],
  needs: { accounts, engines },
  connect: (tools: ServiceTools<SessionsSettings>, needed) => {
    const found = new Profiles({ tools, ...needed });
    return {
      rows: [
        operation(ListProfiles, ({ caller, query }) => found.list(caller, query)),
        operation(ListAccountProfiles, ({ caller, params, query }) => found.listOf(caller, params.accountId, query)),
        operation(CreateProfile, (input) => found.create(input.body.accountId, input)),
        operation(CreateAccountProfile, (input) => found.create(input.params.accountId, input)),
        operation(GetProfile, ({ caller, params }) => found.read(caller, params.id)),
        operation(GetAccountProfile, ({ caller, params }) => found.read(caller, params.profileId, params.accountId)),
        operation(UpdateProfile, (input) => found.update(input)),
        operation(SaveToAddressBook, ({ caller, params }) => found.writeAddressBook(caller, params.profileId)),
        operation(DeleteFromAddressBook, ({ caller, params }) => found.writeAddressBook(caller, params.profileId)),
        internalOperation(CountProfiles, (body) => countConnected(tools.sql, body)),
        internalOperation(DescribeProfile, (body) => found.describe(body)),
      ],
      personalData: { tables: ['profiles', 'handover_minutes', 'sending_limits', 'number_checks'], sections: [section] },
    };
  },
});
