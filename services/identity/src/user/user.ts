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

export type UserEvent =
  | { type: 'UserRegistered'; data: Registration }
  | { type: 'PasswordChanged'; data: { userId: string; passwordHash: string; client: Client } }
  /** An operator set a temporary password. */
  | { type: 'PasswordReset'; data: { userId: string; passwordHash: string } };

export type UserCommand =
  | ({ type: 'Register' } & Registration)
  | { type: 'ChangePassword'; passwordHash: string; client: Client }
  | { type: 'ResetPassword'; passwordHash: string };

export type User =
  | { readonly status: 'unknown' }
  | ({
      readonly status: 'registered';
      /** The password is a temporary one. */
      readonly mustChangePassword: boolean;
    } & Omit<Registration, 'client'>);

function decide(command: UserCommand, state: User): readonly UserEvent[] {
  switch (command.type) {
    case 'Register': {
      if (state.status !== 'unknown') return []; // the same request again
      const { type: _, ...registration } = command;
      return [{ type: 'UserRegistered', data: registration }];
    }
    case 'ChangePassword':
      if (state.status === 'unknown') throw new Refused('NOT_FOUND', 'There is no such user.');
      return [
        {
          type: 'PasswordChanged',
          data: { userId: state.userId, passwordHash: command.passwordHash, client: command.client },
        },
      ];
    case 'ResetPassword':
      if (state.status === 'unknown') throw new Refused('NOT_FOUND', 'There is no such user.');
      return [{ type: 'PasswordReset', data: { userId: state.userId, passwordHash: command.passwordHash } }];
  }
}

function evolve(state: User, event: UserEvent): User {
  switch (event.type) {
    case 'UserRegistered': {
      const { client: _, ...registration } = event.data;
      return { status: 'registered', mustChangePassword: false, ...registration };
    }
    case 'PasswordChanged':
    case 'PasswordReset': {
      if (state.status === 'unknown') return state;
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
    PasswordChanged: { version: 1, personal: ['passwordHash', 'client'] },
    PasswordReset: { version: 1, personal: ['passwordHash'] },
  },
};
