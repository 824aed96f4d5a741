import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Preferences } from '../preferences.ts';
import { Id, Timestamp, closed, nullable, oneOf } from '../shapes.ts';

export const DescribeMembers = internal({
  name: 'DescribeMembers',
  owner: 'identity',
  means:
    'Pages of the members of an organization: what each may do now, and wants to be told. None when there is no such organization.',
  body: closed({
    organizationId: Id,
    after: Type.Optional({ ...Id, description: '`next` of the page before; absent for the first' }),
    limit: Type.Integer({ minimum: 1, maximum: 500 }),
  }),
  answer: closed({
    members: Type.Array(
      closed({
        userId: Id,
        permissions: Type.Array(Type.String()),
        preferences: Preferences,
        preferencesVersion: Type.Integer({ minimum: 0, description: 'As `preferences.changed` counts; 0: never' }),
        joinedAt: Type.Optional({ ...Timestamp, description: 'When the user became a member' }),
      }),
    ),
    next: nullable({ ...Id, description: 'Null at the end' }),
  }),
});

export const MailMember = internal({
  name: 'MailMember',
  owner: 'identity',
  means:
    "Sends a mail to a member, whose address stays with identity: by the organization's mail server, else by the installation's. `by` is " +
    '`nobody` when there is neither, or no such member. `SERVICE_UNAVAILABLE`: the server did not take it.',
  body: closed({
    organizationId: Id,
    userId: Id,
    subject: Type.String({ maxLength: 256 }),
    text: Type.String({ maxLength: 65_536 }),
  }),
  answer: closed({ by: oneOf(['organization', 'installation', 'nobody']) }),
  timeoutMs: 12_000,
});
