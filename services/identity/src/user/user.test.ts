import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { user, type UserCommand, type UserEvent } from './user.ts';

const given = specification(user);
const registration = {
  userId: '0198c0de-0000-7000-8000-000000000001',
  organizationId: '0198c0de-0000-7000-8000-000000000002',
  workspaceId: '0198c0de-0000-7000-8000-000000000003',
  organizationName: "Ada's organization",
  role: 'Owner',
  email: 'ada@example.com',
  name: 'Ada',
  passwordHash: '$argon2id$one',
  client: { ipAddress: '192.0.2.1' },
};
const register: UserCommand = { type: 'Register', ...registration };
const registered: UserEvent = { type: 'UserRegistered', data: registration };
const change: UserCommand = { type: 'ChangePassword', passwordHash: '$argon2id$two', client: {} };

describe('a user', () => {
  it('registers', () => given().when(register).then(registered));
  it('registers only once', () => given(registered).when(register).thenNothing());
  it('changes the password', () =>
    given(registered)
      .when(change)
      .then({
        type: 'PasswordChanged',
        data: { userId: registration.userId, passwordHash: '$argon2id$two', client: {} },
      }));
  it('gets a temporary password from an operator, until it is changed', () => {
    const data = { userId: registration.userId, passwordHash: '$argon2id$three' };
    given(registered)
      .when({ type: 'ResetPassword', passwordHash: data.passwordHash })
      .then({ type: 'PasswordReset', data });
    given().when({ type: 'ResetPassword', passwordHash: '' }).thenRefused('NOT_FOUND');
  });
  it('must exist to change the password', () => given().when(change).thenRefused('NOT_FOUND'));
});
