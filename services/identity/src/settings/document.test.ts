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
  it('loses a secret with the server that it was given for, unless it is given anew', () => {
    const bound = { token: 'url', inner: { password: 'host' } };
    const before = { url: 'https://a.example/x', token: 't', inner: { host: 'a.example', password: 'p' } };
    const after = (change: object) => withChange(before, change as never, bound);
    expect(after({ url: 'https://A.example:443/' })).toMatchObject({ token: 't' });
    expect(after({ url: 'http://a.example/x' })).toEqual({ url: 'http://a.example/x', inner: before.inner });
    expect(after({ url: 'https://b.example', token: 'new' })).toMatchObject({ token: 'new' });
    expect(after({ inner: { host: 'A.EXAMPLE' } })).toMatchObject({ inner: { password: 'p' } });
    expect(after({ inner: { host: 'b.example' } })).toMatchObject({ token: 't', inner: { host: 'b.example' } });
    expect(after({ inner: { host: null } }).inner).toEqual({});
    expect(withChange({ token: 't' }, { url: 'https://a.example' }, bound)).toMatchObject({ token: 't' });
  });
  it('is changed field by field at any depth', () =>
    expect(withChange({ one: { a: 1, b: 2 } }, { one: { b: null, c: 3 }, two: { d: 4 } })).toEqual({
      one: { a: 1, c: 3 },
      two: { d: 4 },
    }));
});
