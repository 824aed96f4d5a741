import {
  DescribeMembers,
  InviteMember,
  MailMember,
  MemberInvited,
  RemoveMember,
  UnassignUser,
} from '@messaging-gateway/contracts';
import { feature, internalOperation, operation, reaction, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { describeMembers } from './describing.ts';
import { completeInvitation, inviteMember } from './inviting.ts';
import { mailMember } from './mailing-member.ts';
import { removeMember, unassignUser } from './removing.ts';

/** How people become members of an organization, and what ends with their membership. */
export const members = feature({
  name: 'members',
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      operation(InviteMember, (input) => inviteMember(tools, input)),
      operation(RemoveMember, (input) => removeMember(tools, input.params.id, input)),
      operation(UnassignUser, (input) => unassignUser(tools, input.params, input)),
      internalOperation(DescribeMembers, (asked, context) => describeMembers(tools, asked, context)),
      internalOperation(MailMember, (mail, context) => mailMember(tools, mail, context)),
    ],
    hears: [reaction(MemberInvited, (data, event) => completeInvitation(tools, data, event))],
  }),
});
