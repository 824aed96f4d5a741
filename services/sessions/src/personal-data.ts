import { EraseSessionsData, ReadSessionsData, type Caller } from '@messaging-gateway/contracts';
import {
  personalData,
  type InternalRow,
  type RequestContext,
  type ServiceTools,
  type Whose,
} from '@messaging-gateway/service';
import type { SessionsSettings } from './config.ts';
import type { ConnectionControl } from './holding/connection-control.ts';

/** Profiles with their session data, accounts; all of them belong to organizations. */
export function sessionsData(tools: ServiceTools<SessionsSettings>, control: ConnectionControl): InternalRow[] {
  return personalData(
    tools,
    { erase: EraseSessionsData, read: ReadSessionsData },
    {
      first: (whose, context) => removeProfiles(tools, control, whose, context),
      tables: ['profiles', 'accounts', 'workspaces'],
      sections: [
        { name: 'accounts', ofOrganization: true, sql: accounts },
        { name: 'profiles', ofOrganization: true, sql: profiles },
      ],
    },
  );
}

/** Unlinks them on the network, as far as it can be reached, and deletes their session data: nothing is sent or received any more. */
async function removeProfiles(
  { sql }: ServiceTools<SessionsSettings>,
  control: ConnectionControl,
  { organizationId, userId, wholeOrganization }: Whose,
  context: RequestContext,
): Promise<void> {
  if (!wholeOrganization) return;
  const caller: Caller = { organizationId, userId, permissions: [] };
  const found = await sql.query<{ id: string }>('SELECT id FROM profiles WHERE organization_id = $1', [organizationId]);
  await Promise.all(found.map(({ id }) => control.remove({ id }, caller, context)));
}

const accounts = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'workspaceId', workspace_id, 'name', name, 'description', description,
         'createdAt', created_at, 'updatedAt', updated_at) AS item
    FROM accounts WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`;

const profiles = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'accountId', account_id, 'name', name, 'phoneNumber', phone_number,
         'pushName', push_name, 'status', status, 'engine', engine, 'lastConnectedAt', last_connected_at,
         'createdAt', created_at, 'updatedAt', updated_at) AS item
    FROM profiles WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`;
