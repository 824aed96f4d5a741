import { OrganizationCreated } from '@messaging-gateway/contracts';
import { publication, type Publish } from '@messaging-gateway/service';
import type { Registration } from './user/user.ts';

/** What identity tells the others. */
export const publish: Publish = (entry) => {
  if (entry.type !== 'UserRegistered') return [];
  const { organizationId, workspaceId, userId } = entry.data as unknown as Registration;
  return [publication(OrganizationCreated, { organizationId, workspaceId, ownerId: userId }, organizationId)];
};
