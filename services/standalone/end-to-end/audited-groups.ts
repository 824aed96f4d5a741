import type { AuditedTenant } from './audited-tenant.ts';

/** Makes a group on the network, changes it and leaves it. */
export async function changeGroups(audited: AuditedTenant, profileId: string): Promise<void> {
  const [anna, ben] = ['4915187654391', '4915187654392'];
  const body = { profileId, name: 'Choir', participants: [anna] };
  const group = (await audited.does('group.create', 'POST', '/groups', { body, resource: null })).body.id;
  const path = `/groups/${group}`;
  const named = { body: { profileId, name: 'Chamber choir' }, resource: group };
  await audited.does('group.update', 'PATCH', path, named);
  for (const what of ['add', 'promote', 'demote', 'remove']) {
    const some = { body: { profileId, participants: [ben] }, resource: group, byKey: what === 'add' };
    await audited.does(`group.${what}_participants`, 'POST', `${path}/participants/${what}`, some);
  }
  const alone = { body: { profileId }, resource: group };
  const revoking = `${path}/invite-link/revoke?profileId=${profileId}`;
  await audited.does('group.revoke_invite_link', 'POST', revoking, { resource: group });
  await audited.does('group.leave', 'POST', `${path}/leave`, alone);
}
