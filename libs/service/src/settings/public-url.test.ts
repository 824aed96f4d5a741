import { describe, expect, it } from '@jest/globals';
import { publicUrl } from './public-url.ts';

describe('PUBLIC_URL', () => {
  it('is kept without a slash at its end', () => {
    expect(publicUrl.read(undefined)).toBeUndefined();
    expect(publicUrl.read('https://Gateway.example.com/')).toBe('https://gateway.example.com');
    expect(publicUrl.read('http://10.0.0.1:3000/messages/')).toBe('http://10.0.0.1:3000/messages');
  });

  it.each([
    'gateway.example.com',
    'ftp://a.example',
    'https://me:pw@a.example',
    'https://a.example/?x=1',
    'javascript:1',
  ])('is not %s', (text) => {
    expect(() => publicUrl.read(text)).toThrow('must be an http or https URL');
  });
});
