import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import type { Permission } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Client } from '../client.ts';

/** Bounds of a key. A field that is absent sets none. */
export interface Scope {
  readonly permissions?: readonly Permission[];
  readonly profileIds?: readonly string[];
  readonly allowedCidrs?: readonly string[];
  /** ISO 8601. */
  readonly expiresAt?: string;
}

/** A key without the key: SHA-256 in hex, and its first characters. */
export interface Fingerprint {
  readonly hash: string;
  readonly prefix: string;
}

interface Creation {
  readonly apiKeyId: string;
  readonly organizationId: string;
  readonly makerId: string;
  /** The key that it was made with, when it was made with one. */
  readonly parentId?: string;
  readonly name: string;
  readonly scope: Scope;
  readonly fingerprint: Fingerprint;
  readonly client: Client;
}

export type ApiKeyEvent =
  | { type: 'ApiKeyCreated'; data: Creation }
  | { type: 'ApiKeyReissued'; data: { apiKeyId: string; fingerprint: Fingerprint } }
  | { type: 'ApiKeyRevoked'; data: { apiKeyId: string; client: Client } };

export type ApiKeyCommand = ({ type: 'Create' } & Creation) | { type: 'Revoke'; client: Client };

export type ApiKey =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'active' | 'revoked' } & Omit<Creation, 'client'>);

function decide(command: ApiKeyCommand, state: ApiKey): readonly ApiKeyEvent[] {
  switch (command.type) {
    case 'Create': {
      const { type: _, ...creation } = command;
      if (state.status === 'unknown') return [{ type: 'ApiKeyCreated', data: creation }];
      if (state.status === 'revoked') throw new Refused('CONFLICT', 'The key has been revoked.');
      // The same request again: nobody has seen the first key, and it is not kept, so another one takes its place.
      return [{ type: 'ApiKeyReissued', data: { apiKeyId: state.apiKeyId, fingerprint: command.fingerprint } }];
    }
    case 'Revoke':
      if (state.status === 'unknown') throw new Refused('NOT_FOUND', 'There is no such key.');
      if (state.status === 'revoked') return [];
      return [{ type: 'ApiKeyRevoked', data: { apiKeyId: state.apiKeyId, client: command.client } }];
  }
}

function evolve(state: ApiKey, event: ApiKeyEvent): ApiKey {
  switch (event.type) {
    case 'ApiKeyCreated': {
      const { client: _, ...creation } = event.data;
      return { status: 'active', ...creation };
    }
    case 'ApiKeyReissued':
      return state.status === 'unknown' ? state : { ...state, fingerprint: event.data.fingerprint };
    case 'ApiKeyRevoked':
      return state.status === 'unknown' ? state : { ...state, status: 'revoked' };
  }
}

/** A key for programs. */
export const apiKey: Decider<ApiKey, ApiKeyCommand, ApiKeyEvent> = { initial: { status: 'unknown' }, decide, evolve };

export const apiKeyStream: StreamType<ApiKey, ApiKeyCommand, ApiKeyEvent> = {
  name: 'api-key',
  decider: apiKey,
  events: {
    ApiKeyCreated: { version: 1, personal: ['name', 'client'] },
    ApiKeyReissued: { version: 1 },
    ApiKeyRevoked: { version: 1, personal: ['client'] },
  },
};
