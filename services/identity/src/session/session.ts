import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Client } from '../client.ts';

/** A refresh token by its claims: the same claims give the same token. ISO 8601. */
export interface RefreshGrant {
  readonly refreshId: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

export type EndReason =
  | 'logout'
  | 'revoked'
  | 'refresh-token-reused'
  | 'password-changed'
  | 'password-reset'
  | 'member-removed';

export type SessionEvent =
  | {
      type: 'SessionStarted';
      data: {
        sessionId: string;
        userId: string;
        organizationId: string;
        by: 'register' | 'login';
        grant: RefreshGrant;
        expiresAt: string;
        client: Client;
      };
    }
  | { type: 'SessionRefreshed'; data: { sessionId: string; grant: RefreshGrant; expiresAt: string } }
  | { type: 'SessionEnded'; data: { sessionId: string; reason: EndReason; client: Client } };

export type SessionCommand =
  | ({ type: 'Start' } & Extract<SessionEvent, { type: 'SessionStarted' }>['data'])
  | {
      type: 'Refresh';
      /** The token that was presented. */
      refreshId: string;
      /** Whether the token was still the current one when the request came in, and another request with it, or a repeat, was faster. */
      wasCurrent: boolean;
      next: RefreshGrant;
      expiresAt: string;
      client: Client;
    }
  | { type: 'End'; reason: EndReason; client: Client };

export type Session =
  | { readonly status: 'unknown' }
  | { readonly status: 'ended'; readonly sessionId: string }
  | {
      readonly status: 'active';
      readonly sessionId: string;
      readonly userId: string;
      readonly organizationId: string;
      readonly grant: RefreshGrant;
      readonly previousRefreshId?: string;
    };

function decide(command: SessionCommand, state: Session): readonly SessionEvent[] {
  switch (command.type) {
    case 'Start': {
      if (state.status !== 'unknown') return [];
      const { type: _, ...start } = command;
      return [{ type: 'SessionStarted', data: start }];
    }
    case 'Refresh':
      return refresh(command, state);
    case 'End':
      if (state.status !== 'active') return [];
      return [
        { type: 'SessionEnded', data: { sessionId: state.sessionId, reason: command.reason, client: command.client } },
      ];
  }
}

/** Rotation: a used token comes again only from two tabs at the same moment, or from somebody who copied it. */
function refresh(command: Extract<SessionCommand, { type: 'Refresh' }>, state: Session): readonly SessionEvent[] {
  if (state.status !== 'active') throw new Refused('UNAUTHORIZED', 'The session has ended.');
  const { sessionId } = state;
  if (command.refreshId === state.grant.refreshId) {
    return [{ type: 'SessionRefreshed', data: { sessionId, grant: command.next, expiresAt: command.expiresAt } }];
  }
  if (command.wasCurrent && command.refreshId === state.previousRefreshId) return [];
  return [{ type: 'SessionEnded', data: { sessionId, reason: 'refresh-token-reused', client: command.client } }];
}

function evolve(state: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'SessionStarted': {
      const { sessionId, userId, organizationId, grant } = event.data;
      return { status: 'active', sessionId, userId, organizationId, grant };
    }
    case 'SessionRefreshed':
      if (state.status !== 'active') return state;
      return { ...state, grant: event.data.grant, previousRefreshId: state.grant.refreshId };
    case 'SessionEnded':
      return { status: 'ended', sessionId: event.data.sessionId };
  }
}

/** A login of a person, to which all its tokens belong. */
export const session: Decider<Session, SessionCommand, SessionEvent> = {
  initial: { status: 'unknown' },
  decide,
  evolve,
};

export const sessionStream: StreamType<Session, SessionCommand, SessionEvent> = {
  name: 'user-session',
  decider: session,
  events: {
    SessionStarted: { version: 1, personal: ['client'] },
    SessionRefreshed: { version: 1 },
    SessionEnded: { version: 1, personal: ['client'] },
  },
  snapshotEvery: 100,
};
