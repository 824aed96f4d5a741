import {
  CloseWorkspace,
  CreateAccount,
  DeleteAccount,
  EnsureDefaultAccount,
  GetAccount,
  ListAccounts,
  OrganizationCreated,
  UpdateAccount,
} from '@messaging-gateway/contracts';
import {
  answer,
  feature,
  internalOperation,
  operation,
  reaction,
  type PersonalSection,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { workspaces } from './0004-workspaces.migration.ts';
import { accountStream } from './account.ts';
import { accountViews } from './account-table.ts';
import { Accounts } from './accounts.ts';
import { closeWorkspace, openWorkspaceGuard } from './workspaces.ts';

const section: PersonalSection = {
  name: 'accounts',
  ofOrganization: true,
  sql: `
  SELECT id::text AS key, jsonb_build_object('id', id, 'workspaceId', workspace_id, 'name', name, 'description', description,
         'createdAt', created_at, 'updatedAt', updated_at) AS item
    FROM accounts WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`,
};

/** Accounts, which are folders for profiles, and the workspaces that hold them. */
export const accounts = feature({
  name: 'accounts',
  streams: [accountStream],
  views: accountViews,
  guards: [openWorkspaceGuard],
  migrations: [workspaces],
  connect: (tools: ServiceTools<SessionsSettings>) => {
    const api = new Accounts(tools);
    return {
      api,
      rows: [
        operation(ListAccounts, ({ caller, query }) => api.list(caller, query)),
        operation(CreateAccount, (input) => api.create(input)),
        operation(GetAccount, ({ caller, params }) => api.read(caller, params.id)),
        operation(UpdateAccount, (input) => api.update(input)),
        operation(DeleteAccount, async ({ caller, params, context }) => {
          await api.remove(params.id, caller, context);
          return answer(204);
        }),
        internalOperation(EnsureDefaultAccount, async ({ organizationId, workspaceId }, context) => {
          const { accountId } = await api.ensureDefault(organizationId, workspaceId, context);
          return { accountId };
        }),
        internalOperation(CloseWorkspace, (asked) => closeWorkspace(tools.sql, asked)),
      ],
      hears: [
        reaction(OrganizationCreated, async ({ organizationId, workspaceId }) => {
          await api.ensureDefault(organizationId, workspaceId);
        }),
      ],
      personalData: { tables: ['accounts', 'workspaces'], sections: [section] },
    };
  },
});
