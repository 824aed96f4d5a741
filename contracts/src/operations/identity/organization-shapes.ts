import { Type } from 'typebox';
import { Id, Timestamp, closed, nullable } from '../../shapes.ts';
import { PermissionWord } from './shapes.ts';

export const RoleName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
export const Description = nullable(Type.String({ maxLength: 1000 }));

/** A tenant. */
export const Organization = closed(
  {
    id: Id,
    name: Type.String(),
    timezone: Type.String({
      description: 'IANA name: by it statistics are counted into days and weeks, unless they are asked for another',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Organization' },
);

const memberFields = {
  id: Type.String({ format: 'uuid', description: 'Id of the user' }),
  email: Type.String(),
  name: Type.String(),
  role: Type.String({ description: 'Name of the role, for example `Viewer`' }),
  roleId: Id,
  mustChangePassword: Type.Boolean({
    description: 'The temporary password of the invitation has not been changed yet',
  }),
  joinedAt: Timestamp,
};
/** A person of an organization, with the role there. */
export const Member = closed(memberFields, { title: 'Member' });
/** A new member with the password for the first login, shown once. */
export const InvitedMember = closed(
  {
    ...memberFields,
    temporaryPassword: Type.String({ description: 'For the first login; shown once' }),
  },
  { title: 'InvitedMember' },
);

/** A part of an organization that holds accounts. */
export const Workspace = closed(
  {
    id: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Workspace' },
);

/** A set of permissions under a name. */
export const Role = closed(
  {
    id: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    permissions: Type.Array(PermissionWord),
    isSystem: Type.Boolean({ description: 'Every organization has it, and nobody edits it' }),
    createdAt: nullable(Timestamp),
    updatedAt: nullable(Timestamp),
  },
  { title: 'Role' },
);
