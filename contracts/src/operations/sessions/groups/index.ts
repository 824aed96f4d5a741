export * from './list-groups.ts';
export * from './get-group.ts';
export * from './create-group.ts';
export * from './update-group.ts';
export * from './change-participants.ts';
export * from './leave-group.ts';
export * from './invite-link.ts';
export { Group, GroupDetail, GroupId, ParticipantResult } from './shapes.ts';
