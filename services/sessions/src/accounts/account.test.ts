import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { account, type AccountEvent } from './account.ts';

const given = specification(account);
const at = '2026-01-01T00:00:00.000Z';
const created: AccountEvent = {
  type: 'AccountCreated',
  data: { accountId: 'a', workspaceId: 'w', name: 'Sales', description: 'All', at },
};
const byDefault: AccountEvent = {
  type: 'AccountCreated',
  data: { accountId: 'a', workspaceId: 'w', name: 'Default', isDefault: true, at },
};
const deleted: AccountEvent = { type: 'AccountDeleted', data: { at } };

describe('an account', () => {
  it('is created once', () => {
    given()
      .when({ type: 'CreateAccount', accountId: 'a', workspaceId: 'w', name: 'Sales', description: 'All', at })
      .then(created);
    given(created).when({ type: 'CreateAccount', accountId: 'a', workspaceId: 'w', name: 'Sales', at }).thenNothing();
  });

  it('called "Default" is there once, and comes back in its workspace when it was deleted', () => {
    given().when({ type: 'EnsureDefault', accountId: 'a', workspaceId: 'w', at }).then(byDefault);
    given(byDefault).when({ type: 'EnsureDefault', accountId: 'a', workspaceId: 'w', at }).thenNothing();
    given(byDefault, deleted)
      .when({ type: 'EnsureDefault', accountId: 'a', workspaceId: undefined, at })
      .then(byDefault);
    given()
      .when({ type: 'EnsureDefault', accountId: 'a', workspaceId: undefined, at })
      .thenRefused('SERVICE_UNAVAILABLE');
  });

  it('changes only what is given', () => {
    given(created)
      .when({ type: 'ChangeAccount', name: 'Support', at })
      .then({ type: 'AccountChanged', data: { name: 'Support', description: 'All', at } });
    given(created)
      .when({ type: 'ChangeAccount', description: null, at })
      .then({ type: 'AccountChanged', data: { name: 'Sales', at } });
    given(created).when({ type: 'ChangeAccount', name: 'Sales', at }).thenNothing();
    given(created, deleted).when({ type: 'ChangeAccount', name: 'x', at }).thenRefused('NOT_FOUND');
  });

  it('is deleted once', () => {
    given(created).when({ type: 'DeleteAccount', at }).then(deleted);
    given(created, deleted).when({ type: 'DeleteAccount', at }).thenNothing();
  });
});
