import {
  AddGroupParticipants,
  CreateGroup,
  DemoteGroupParticipants,
  GetGroup,
  GetInviteLink,
  LeaveGroup,
  ListGroups,
  PromoteGroupParticipants,
  RemoveGroupParticipants,
  RevokeInviteLink,
  UpdateGroup,
} from '@messaging-gateway/contracts';
import { auditedRequests, feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { engines } from '../engine/feature.ts';
import { GroupOperations } from './groups.ts';

/** Groups of the network: asked for and changed there, by the replica that holds the profile. */
export const groups = feature({
  name: 'groups',
  streams: [auditedRequests],
  needs: { engines },
  connect: (tools: ServiceTools<SessionsSettings>, needed) => {
    const asked = new GroupOperations({ tools, ...needed });
    return {
      rows: [
        operation(ListGroups, (input) => asked.list(input)),
        operation(GetGroup, (input) => asked.read(input)),
        operation(CreateGroup, (input) => asked.create(input)),
        operation(UpdateGroup, (input) => asked.update(input)),
        operation(AddGroupParticipants, (input) => asked.changeParticipants(input, 'add')),
        operation(RemoveGroupParticipants, (input) => asked.changeParticipants(input, 'remove')),
        operation(PromoteGroupParticipants, (input) => asked.changeParticipants(input, 'promote')),
        operation(DemoteGroupParticipants, (input) => asked.changeParticipants(input, 'demote')),
        operation(LeaveGroup, (input) => asked.leave(input)),
        operation(GetInviteLink, (input) => asked.inviteLink(input, false)),
        operation(RevokeInviteLink, (input) => asked.inviteLink(input, true)),
      ],
    };
  },
});
