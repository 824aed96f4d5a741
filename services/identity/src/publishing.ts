import { MemberInvited, MemberLeft, MemberRemoved, OrganizationCreated } from '@messaging-gateway/contracts';
import { publication, type Publish } from '@messaging-gateway/service';
import type { Invitation, Registration } from './user/user.ts';

/** What identity tells the others. */
export const publish: Publish = (entry) => {
  switch (entry.type) {
    case 'UserRegistered': {
      const { organizationId, workspaceId, userId } = entry.data as unknown as Registration;
      return [publication(OrganizationCreated, { organizationId, workspaceId, ownerId: userId }, organizationId)];
    }
    case 'UserInvited': {
      const { organizationId, userId, roleId, invitedBy } = entry.data as unknown as Invitation;
      return [publication(MemberInvited, { userId, roleId, invitedBy }, organizationId)];
    }
    case 'MemberRemoved': {
      const { userId } = entry.data as unknown as { userId: string };
      return [publication(MemberRemoved, { userId }, entry.metadata.organizationId)];
    }
    case 'MemberLeft': {
      const { userId, wholeOrganization } = entry.data as unknown as { userId: string; wholeOrganization: boolean };
      return [publication(MemberLeft, { userId, wholeOrganization }, entry.metadata.organizationId)];
    }
    default:
      return [];
  }
};
