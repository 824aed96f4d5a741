import { describe, expect, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { documentStream, withChange } from './document.ts';

const given = specification(documentStream('some-settings').decider);
const kept = { type: 'DocumentChanged', data: { document: { host: 'a', password: 'secret' } } } as const;

describe('a document of settings', () => {
  it('keeps what is given and leaves what is not', () =>
    given(kept)
      .when({ change: { host: 'b', port: 25, user: undefined } })
      .then({ type: 'DocumentChanged', data: { document: { host: 'b', password: 'secret', port: 25 } } }));
  it('loses what is null', () =>
    given(kept)
      .when({ change: { password: null } })
      .then({ type: 'DocumentChanged', data: { document: { host: 'a' } } }));
  it('says nothing when nothing changes', () => {
    given(kept)
      .when({ change: { password: 'secret', host: 'a' } })
      .thenNothing();
    given(kept)
      .when({ change: { port: null } })
      .thenNothing();
  });
  it('is changed field by field at any depth', () =>
    expect(withChange({ one: { a: 1, b: 2 } }, { one: { b: null, c: 3 }, two: { d: 4 } })).toEqual({
      one: { a: 1, c: 3 },
      two: { d: 4 },
    }));
});
