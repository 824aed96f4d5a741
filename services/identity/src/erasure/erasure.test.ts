import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { erasure } from './erasure.ts';

const given = specification(erasure);
const of = { userId: 'u', organizationId: 'o', wholeOrganization: true };
const requested = { type: 'ErasureRequested', data: of } as const;

describe('an erasure', () => {
  it('is requested once', () => {
    given()
      .when({ type: 'Request', ...of })
      .then(requested);
    given(requested)
      .when({ type: 'Request', ...of, wholeOrganization: false })
      .thenNothing();
  });

  it('is carried out again, and each time is noted once', () => {
    const once = { type: 'ErasureCarriedOut', data: { userId: 'u', times: 1 } } as const;
    given(requested).when({ type: 'NoteCarriedOut', times: 1 }).then(once);
    given(requested, once).when({ type: 'NoteCarriedOut', times: 1 }).thenNothing();
    given(requested, once)
      .when({ type: 'NoteCarriedOut', times: 2 })
      .then({ type: 'ErasureCarriedOut', data: { userId: 'u', times: 2 } });
  });

  it('nobody has asked for is not noted', () => {
    given().when({ type: 'NoteCarriedOut', times: 1 }).thenNothing();
  });
});
