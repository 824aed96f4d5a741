import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Client } from '../client.ts';

export interface Registration {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly organizationName: string;
  /** Name of the role in the organization. */
  readonly role: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly client: Client;
}

/** Of a user who becomes a member of an organization that is there. */
interface Invitation {
  readonly userId: string;
  readonly organizationId: string;
  readonly roleId: string;
  /** The user who invites. */
  readonly invitedBy: string;
  readonly email: string;
  readonly name: string;
  /** Of the temporary password. */
  readonly passwordHash: string;
  readonly client: Client;
}

export type UserEvent =
  | { type: 'UserRegistered'; data: Registration }
  | { type: 'UserInvited'; data: Invitation }
  | { type: 'UserRemoved'; data: { userId: string } }
  | { type: 'PasswordChanged'; data: { userId: string; passwordHash: string; client: Client } }
  /** An operator set a temporary password. */
  | { type: 'PasswordReset'; data: { userId: string; passwordHash: string } };

export type UserCommand =
  | ({ type: 'Register' } & Registration)
  | ({ type: 'Invite' } & Invitation)
  | { type: 'Remove' }
  | { type: 'ChangePassword'; passwordHash: string; client: Client }
  | { type: 'ResetPassword'; passwordHash: string };

export type User =
  | { readonly status: 'unknown' }
  | ({
      readonly status: 'registered';
      /** The password is a temporary one. */
      readonly mustChangePassword: boolean;
    } & Omit<Registration, 'client'>)
  | ({ readonly status: 'invited'; readonly mustChangePassword: boolean } & Omit<Invitation, 'client'>)
  | { readonly status: 'removed'; readonly userId: string };

function decide(command: UserCommand, state: User): readonly UserEvent[] {
  switch (command.type) {
    case 'Register': {
      if (state.status !== 'unknown') return []; // the same request again
      const { type: _, ...registration } = command;
      return [{ type: 'UserRegistered', data: registration }];
    }
    case 'Invite':
      return invite(command, state);
    case 'Remove':
      return state.status === 'unknown' || state.status === 'removed'
        ? []
        : [{ type: 'UserRemoved', data: { userId: state.userId } }];
    case 'ChangePassword':
      if (state.status === 'unknown' || state.status === 'removed')
        throw new Refused('NOT_FOUND', 'There is no such user.');
      return [
        {
          type: 'PasswordChanged',
          data: { userId: state.userId, passwordHash: command.passwordHash, client: command.client },
        },
      ];
    case 'ResetPassword':
      if (state.status === 'unknown' || state.status === 'removed')
        throw new Refused('NOT_FOUND', 'There is no such user.');
      return [{ type: 'PasswordReset', data: { userId: state.userId, passwordHash: command.passwordHash } }];
  }
}

/** Events of an invitation. A repeat makes another temporary password: nobody has seen the first one, and it is not kept. */
function invite(command: Extract<UserCommand, { type: 'Invite' }>, state: User): readonly UserEvent[] {
  const { type: _, ...invitation } = command;
  if (state.status === 'unknown') return [{ type: 'UserInvited', data: invitation }];
  if (state.status !== 'invited' || !state.mustChangePassword)
    throw new Refused('CONFLICT', 'The invitation has been used or withdrawn.');
  return [{ type: 'PasswordReset', data: { userId: state.userId, passwordHash: invitation.passwordHash } }];
}

function evolve(state: User, event: UserEvent): User {
  switch (event.type) {
    case 'UserRegistered': {
      const { client: _, ...registration } = event.data;
      return { status: 'registered', mustChangePassword: false, ...registration };
    }
    case 'UserInvited': {
      const { client: _, ...invitation } = event.data;
      return { status: 'invited', mustChangePassword: true, ...invitation };
    }
    case 'UserRemoved':
      return { status: 'removed', userId: event.data.userId };
    case 'PasswordChanged':
    case 'PasswordReset': {
      if (state.status === 'unknown' || state.status === 'removed') return state;
      const { passwordHash } = event.data;
      return { ...state, passwordHash, mustChangePassword: event.type === 'PasswordReset' };
    }
  }
}

/** A person who can log in. */
export const user: Decider<User, UserCommand, UserEvent> = { initial: { status: 'unknown' }, decide, evolve };

export const userStream: StreamType<User, UserCommand, UserEvent> = {
  name: 'user',
  decider: user,
  events: {
    UserRegistered: { version: 1, personal: ['organizationName', 'email', 'name', 'passwordHash', 'client'] },
    UserInvited: { version: 1, personal: ['email', 'name', 'passwordHash', 'client'] },
    UserRemoved: { version: 1 },
    PasswordChanged: { version: 1, personal: ['passwordHash', 'client'] },
    PasswordReset: { version: 1, personal: ['passwordHash'] },
  },
};
