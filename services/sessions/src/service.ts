import {
  AddGroupParticipants,
  CloseWorkspace,
  DeleteFromAddressBook,
  SaveToAddressBook,
  ConnectAccountProfile,
  ConnectProfile,
  CreateAccount,
  CreateAccountProfile,
  CreateGroup,
  CreateProfile,
  DeleteAccount,
  DeleteAccountProfile,
  DeleteProfile,
  DemoteGroupParticipants,
  DescribeProfile,
  DisconnectAccountProfile,
  DisconnectProfile,
  EnsureDefaultAccount,
  GetAccount,
  GetAccountProfile,
  GetGroup,
  GetInviteLink,
  GetProfile,
  GetProfileStatus,
  GetQr,
  LeaveGroup,
  ListAccountProfiles,
  ListAccounts,
  ListGroups,
  ListProfiles,
  OrganizationCreated,
  PromoteGroupParticipants,
  RemoveGroupParticipants,
  RevokeInviteLink,
  UpdateAccount,
  UpdateGroup,
  UpdateProfile,
  type Caller,
} from '@messaging-gateway/contracts';
import {
  answer,
  internalOperation,
  operation,
  reaction,
  type ServiceDefinition,
  type ServiceTools,
} from '@messaging-gateway/service';
import { closeWorkspace } from './accounts/workspaces.ts';
import type { SessionsSettings } from './config.ts';
import { partsOf } from './parts.ts';
import { writeAddressBook } from './profiles/address-book.ts';
import type { Groups } from './groups/groups.ts';
import { sessionsData } from './personal-data.ts';
import { publish } from './publishing.ts';

const none = answer(204);
type Params = Readonly<Record<string, string>>;
const flat = ({ id = '' }: Params) => ({ id });
const inAccount = ({ accountId = '', profileId = '' }: Params) => ({ id: profileId, accountId });

/** Everything that sessions does. */
export function sessionsService(tools: ServiceTools<SessionsSettings>): ServiceDefinition {
  const { accounts, profiles, groups, control, held, engines, running, jobs } = partsOf(tools);
  return {
    name: 'sessions',
    rows: [
      operation(ListAccounts, ({ caller, query }) => accounts.list(caller, query)),
      operation(CreateAccount, (input) => accounts.create(input)),
      operation(GetAccount, ({ caller, params }) => accounts.read(caller, flat(params).id)),
      operation(UpdateAccount, (input) => accounts.update(flat(input.params).id, input)),
      operation(DeleteAccount, ({ caller, params, context }) =>
        accounts.remove(flat(params).id, caller, context).then(() => none),
      ),

      operation(ListProfiles, ({ caller, query }) => profiles.list(caller, query)),
      operation(ListAccountProfiles, ({ caller, params, query }) =>
        profiles.listOf(caller, inAccount(params).accountId, query),
      ),
      operation(CreateProfile, (input) => profiles.create(input.body.accountId, input)),
      operation(CreateAccountProfile, (input) => profiles.create(inAccount(input.params).accountId, input)),
      operation(GetProfile, ({ caller, params }) => profiles.read(caller, flat(params).id)),
      operation(GetAccountProfile, ({ caller, params }) =>
        profiles.read(caller, inAccount(params).id, inAccount(params).accountId),
      ),
      operation(UpdateProfile, (input) => profiles.update(flat(input.params).id, input)),

      operation(ConnectProfile, ({ body, caller, params, context }) =>
        control.connect(flat(params), body?.phoneNumber, caller, context),
      ),
      operation(ConnectAccountProfile, ({ body, caller, params, context }) =>
        control.connect(inAccount(params), body?.phoneNumber, caller, context),
      ),
      operation(DisconnectProfile, ({ caller, params, context }) => control.disconnect(flat(params), caller, context)),
      operation(DisconnectAccountProfile, ({ caller, params, context }) =>
        control.disconnect(inAccount(params), caller, context),
      ),
      operation(DeleteProfile, ({ caller, params, context }) =>
        control.remove(flat(params), caller, context).then(() => none),
      ),
      operation(DeleteAccountProfile, ({ caller, params, context }) =>
        control.remove(inAccount(params), caller, context).then(() => none),
      ),
      operation(GetProfileStatus, ({ caller, params }) => control.status(flat(params).id, caller)),
      operation(GetQr, ({ caller, params }) => control.qr(inAccount(params), caller)),

      ...sessionsData(tools, control),
      internalOperation(EnsureDefaultAccount, ({ organizationId, workspaceId }, context) =>
        accounts.ensureDefault(organizationId, workspaceId, context).then(({ accountId }) => ({ accountId })),
      ),
      internalOperation(CloseWorkspace, (asked) => closeWorkspace(tools.sql, asked)),
      ...ofAddressBooks((caller, { profileId }) => writeAddressBook(tools.sql, engines, caller, profileId)),
      ...ofGroups(groups),
      internalOperation(DescribeProfile, (body) => profiles.describe(body)),
      ...held.rows(),

      reaction(OrganizationCreated, ({ organizationId, workspaceId }) =>
        accounts.ensureDefault(organizationId, workspaceId).then(() => undefined),
      ),
    ],
    publish,
    running,
    jobs,
  };
}

/** What no engine here can do. */
const ofAddressBooks = (write: (caller: Caller, params: Params) => Promise<never>): ServiceDefinition['rows'] => [
  operation(SaveToAddressBook, ({ caller, params }) => write(caller, params)),
  operation(DeleteFromAddressBook, ({ caller, params }) => write(caller, params)),
];

/** The routes of groups. */
const ofGroups = (groups: Groups): ServiceDefinition['rows'] => [
  operation(ListGroups, (input) => groups.list(input)),
  operation(GetGroup, (input) => groups.read(input)),
  operation(CreateGroup, (input) => groups.create(input)),
  operation(UpdateGroup, (input) => groups.update(input)),
  operation(AddGroupParticipants, (input) => groups.changeParticipants(input, 'add')),
  operation(RemoveGroupParticipants, (input) => groups.changeParticipants(input, 'remove')),
  operation(PromoteGroupParticipants, (input) => groups.changeParticipants(input, 'promote')),
  operation(DemoteGroupParticipants, (input) => groups.changeParticipants(input, 'demote')),
  operation(LeaveGroup, (input) => groups.leave(input)),
  operation(GetInviteLink, (input) => groups.inviteLink(input, false)),
  operation(RevokeInviteLink, (input) => groups.inviteLink(input, true)),
];
