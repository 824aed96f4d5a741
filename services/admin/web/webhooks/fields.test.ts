import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { headersIn, headersText, newSecret } from './fields.ts';

describe('the fields of a webhook', () => {
  it('read headers line by line, with colons in their values', () => {
    expect(headersIn(' \n')).toBeUndefined();
    expect(headersIn('X-Shop: 42\n\n Authorization : Basic a:b \nnone')).toEqual({
      'X-Shop': '42',
      Authorization: 'Basic a:b',
      none: '',
    });
  });

  it('keep the value of every header that nobody changed', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,20}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.constant('********'), { minKeys: 1, noNullPrototype: true }), (headers) => {
        expect(headersIn(headersText(headers))).toEqual(headers);
      }),
    );
  });

  it('make a secret of 24 bytes that is another each time', () => {
    const [one, other] = [newSecret(), newSecret()];
    expect(one).not.toBe(other);
    expect(Buffer.from(one.replace('whsec_', ''), 'base64')).toHaveLength(24);
  });
});
