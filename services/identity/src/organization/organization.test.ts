import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { organization } from './organization.ts';
import { workspace } from '../workspace/workspace.ts';

const organizationId = '0198c0de-0000-7000-8000-000000000001';
const founding = { organizationId, ownerId: '0198c0de-0000-7000-8000-000000000002', name: 'Analytical Engines' };
const opening = { workspaceId: '0198c0de-0000-7000-8000-000000000003', organizationId, name: 'Default' };

describe('an organization', () => {
  const given = specification(organization);
  it('is founded', () =>
    given()
      .when({ type: 'Found', ...founding })
      .then({ type: 'OrganizationFounded', data: founding }));
  it('is founded only once', () =>
    given({ type: 'OrganizationFounded', data: founding })
      .when({ type: 'Found', ...founding })
      .thenNothing());
});

describe('a workspace', () => {
  const given = specification(workspace);
  it('is created', () =>
    given()
      .when({ type: 'Create', ...opening })
      .then({ type: 'WorkspaceCreated', data: opening }));
  it('is created only once', () =>
    given({ type: 'WorkspaceCreated', data: opening })
      .when({ type: 'Create', ...opening })
      .thenNothing());
});
