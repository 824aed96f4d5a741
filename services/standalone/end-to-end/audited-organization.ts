import { Secret, TOTP } from 'otpauth';
import type { AuditedTenant } from './audited-tenant.ts';
import type { World } from './world.ts';

const password = 'correct horse battery';

/** Changes the organization, its workspaces, roles and members. */
export async function changeOrganization(audited: AuditedTenant): Promise<void> {
  const nothingNamed = { resource: null };
  await audited.does('organization.update', 'PUT', '/organizations/current', {
    body: { name: 'Renamed' },
    byKey: true,
  });
  const workspace = await audited.does('workspace.create', 'POST', '/workspaces', { body: { name: 'Second' } });
  const about = workspace.body.id;
  await audited.does('workspace.update', 'PUT', `/workspaces/${about}`, { body: { name: 'Other' } });
  await audited.does('workspace.delete', 'DELETE', `/workspaces/${about}`, { resource: about });

  const body = { name: 'Readers', permissions: ['message:read'] };
  const role = (await audited.does('role.create', 'POST', '/rbac/roles', { body })).body.id;
  await audited.does('role.update', 'PUT', `/rbac/roles/${role}`, { body: { name: 'Listeners' } });
  const invite = async (name: string): Promise<string> => {
    const given = { email: `${name}@audited.example`, name, role: 'Viewer' };
    return (await audited.does('member.invite', 'POST', '/organizations/members', { body: given })).body.id;
  };
  const [stays, removed, unassigned] = [await invite('stays'), await invite('removed'), await invite('unassigned')];
  const assigned = { body: { userId: stays, roleId: role }, ...nothingNamed };
  await audited.does('role.assign', 'POST', '/rbac/assign', assigned);
  const changed = { body: { role: 'Operator' }, resource: stays };
  await audited.does('member.change_role', 'PUT', `/organizations/members/${stays}/role`, changed);
  await audited.does('role.delete', 'DELETE', `/rbac/roles/${role}`, { resource: role });
  await audited.does('member.remove', 'DELETE', `/organizations/members/${removed}`, { resource: removed });
  const { organizationId } = (await audited.tenant.call('GET', '/auth/me')).body;
  const path = `/rbac/users/${unassigned}/organizations/${String(organizationId)}`;
  await audited.does('user.unassign', 'DELETE', path, nothingNamed);
}

/** Changes what is a person's own: preferences, sessions, password, second factor. */
export async function changeOneself(world: World, audited: AuditedTenant): Promise<void> {
  const own = { resource: null };
  const preferences = { body: { notifyOnMessage: false }, ...own };
  await audited.does('user.update_preferences', 'PATCH', '/auth/preferences', preferences);
  const logIn = async (email: string, given: string): Promise<Tokens> =>
    (await world.gateway.call<Tokens>('POST', '/auth/login', { email, password: given })).body;
  await logIn(audited.me.email, password);
  const sessions = await audited.tenant.call<{ id: string; current: boolean }[]>('GET', '/auth/sessions');
  const other = sessions.body.find(({ current }) => !current)?.id ?? '';
  await audited.does('session.revoke', 'DELETE', `/auth/sessions/${other}`, { resource: other });
  await logIn(audited.me.email, password);
  await audited.does('session.revoke_others', 'DELETE', '/auth/sessions', own);

  const setup = await audited.does<{ secret: string }>('two_factor.set_up', 'POST', '/auth/2fa/setup', own);
  const code = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate();
  const give = async (action: string, path: string, body: object): Promise<string> => {
    const answer = await audited.does<{ backupCodes?: string[] }>(action, 'POST', path, { body, ...own });
    return answer.body.backupCodes?.[0] ?? '';
  };
  const backup = await give('two_factor.enable', '/auth/2fa/enable', { code });
  const renewed = await give('two_factor.renew_backup_codes', '/auth/2fa/backup-codes', { code: backup });
  await give('two_factor.disable', '/auth/2fa/disable', { password, code: renewed });

  const invited = { email: 'grace@audited.example', name: 'Grace', role: 'Viewer' };
  const member = await audited.does<{ id: string; temporaryPassword: string }>(
    'member.invite',
    'POST',
    '/organizations/members',
    { body: invited },
  );
  const { id, temporaryPassword } = member.body;
  const signedIn = await logIn(invited.email, temporaryPassword);
  const grace = { id, name: invited.name };
  const changed = { currentPassword: temporaryPassword, newPassword: password };
  const asGrace = { as: { ...grace, token: signedIn.accessToken }, ...own };
  await audited.does('auth.change_password', 'POST', '/auth/change-password', { body: changed, ...asGrace });
  const refreshing = { body: { refreshToken: signedIn.refreshToken }, as: grace, ...own };
  await audited.does('auth.refresh', 'POST', '/auth/refresh', refreshing);
  await audited.does('auth.logout', 'POST', '/auth/logout', asGrace);
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}
