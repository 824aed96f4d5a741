import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';

export type AccountEvent =
  | {
      type: 'AccountCreated';
      data: {
        accountId: string;
        workspaceId: string;
        name: string;
        description?: string | undefined;
        isDefault?: boolean | undefined;
        at: string;
      };
    }
  | { type: 'AccountChanged'; data: { name: string; description?: string | undefined; at: string } }
  | { type: 'AccountDeleted'; data: { at: string } };

export type AccountCommand =
  | {
      type: 'CreateAccount';
      accountId: string;
      workspaceId: string;
      name: string;
      description?: string | undefined;
      at: string;
    }
  /** The account that profiles come into when none is named: made once, and again when it was deleted. */
  | { type: 'EnsureDefault'; accountId: string; workspaceId: string | undefined; at: string }
  /** `description` null removes it. */
  | { type: 'ChangeAccount'; name?: string | undefined; description?: string | null | undefined; at: string }
  | { type: 'DeleteAccount'; at: string };

export type Account =
  | { exists: false; workspaceId: string | undefined }
  | { exists: true; workspaceId: string; name: string; description: string | undefined };

function decide(command: AccountCommand, state: Account): readonly AccountEvent[] {
  switch (command.type) {
    case 'CreateAccount': {
      const { type: _type, ...data } = command;
      return state.exists ? [] : [{ type: 'AccountCreated', data }];
    }
    case 'EnsureDefault': {
      if (state.exists) return [];
      const workspaceId = command.workspaceId ?? state.workspaceId;
      if (workspaceId === undefined)
        throw new Refused('SERVICE_UNAVAILABLE', 'The organization is still being set up.', undefined, {
          'Retry-After': '1',
        });
      return [
        {
          type: 'AccountCreated',
          data: { accountId: command.accountId, workspaceId, name: 'Default', isDefault: true, at: command.at },
        },
      ];
    }
    case 'ChangeAccount': {
      if (!state.exists) throw new Refused('NOT_FOUND', 'There is no such account.');
      const name = command.name ?? state.name;
      const description = command.description === undefined ? state.description : (command.description ?? undefined);
      return name === state.name && description === state.description
        ? []
        : [{ type: 'AccountChanged', data: { name, description, at: command.at } }];
    }
    case 'DeleteAccount':
      return state.exists ? [{ type: 'AccountDeleted', data: { at: command.at } }] : [];
  }
}

function evolve(state: Account, event: AccountEvent): Account {
  switch (event.type) {
    case 'AccountCreated':
      return {
        exists: true,
        workspaceId: event.data.workspaceId,
        name: event.data.name,
        description: event.data.description,
      };
    case 'AccountChanged':
      return state.exists ? { ...state, name: event.data.name, description: event.data.description } : state;
    case 'AccountDeleted':
      return { exists: false, workspaceId: state.workspaceId };
  }
}

export const account: Decider<Account, AccountCommand, AccountEvent> = {
  initial: { exists: false, workspaceId: undefined },
  decide,
  evolve,
};

export const accountStream: StreamType<Account, AccountCommand, AccountEvent> = {
  name: 'account',
  decider: account,
  events: {
    AccountCreated: { version: 1, personal: ['name', 'description'] },
    AccountChanged: { version: 1, personal: ['name', 'description'] },
    AccountDeleted: { version: 1 },
  },
};
