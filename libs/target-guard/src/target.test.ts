import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { reachOf } from './address.ts';
import { resolvedTargetFault, targetFault } from './target.ts';

const closed = { allowPrivate: false };
const open = { allowPrivate: true };
const loopback =
  'must not lead to a loopback, private or reserved address, unless the operator allows it with WEBHOOK_ALLOW_PRIVATE_TARGETS=true';
const noUrl = 'must be a URL, such as https://example.com/path';
const metadata = 'must not lead to a metadata service';

describe('a URL that a tenant gives', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0177.0x0.0.01/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://0/',
    'http://10.0.0.8:8080/x',
    'https://192.168.0.1/',
    'http://%31%32%37.0.0.1/',
    'http://⑩.0.0.1/',
  ])('is refused when it leads inside: %s', (url) => {
    expect(targetFault(url, closed)).toBe(loopback);
    expect(targetFault(url, open)).toBeUndefined();
  });

  it.each([
    'http://169.254.169.254/latest/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254./',
    'http://metadata.google.internal/',
  ])('is refused even with private targets allowed when it leads to a metadata service: %s', (url) => {
    expect(targetFault(url, open)).toBe(metadata);
    expect(targetFault(url, closed)).toBe(metadata);
  });

  it.each([
    ['ftp://example.com/', 'must begin with http:// or https://'],
    ['file:///etc/passwd', 'must begin with http:// or https://'],
    ['http://user:password@example.com/', 'must not hold a user name or password'],
    ['http://user@example.com/', 'must not hold a user name or password'],
    ['http://', noUrl],
    ['example.com/hook', noUrl],
    ['http://exa\nmple.com/', noUrl],
    ['http://exam ple.com/', noUrl],
    ['http://[fe80::1%25eth0]/', noUrl],
    [`http://example.com/${'x'.repeat(2048)}`, 'must have at most 2048 characters'],
  ])('is refused for its form: %s', (url, fault) => expect(targetFault(url, open)).toBe(fault));

  it.each(['https://example.com/hook?x=1', 'http://93.184.216.34:8080/', 'https://[2606:4700:4700::1111]/'])(
    'is taken: %s',
    (url) => expect(targetFault(url, closed)).toBeUndefined(),
  );

  it('is judged alike in every way of writing an IPv4 address', () => {
    const number = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(number, fc.constantFrom(...forms), (value, write) => {
        const parts = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
        const expected = reachOf(parts.join('.')) === 'public';
        return (targetFault(`http://${write(value, parts)}/`, closed) === undefined) === expected;
      }),
    );
  });

  it('is refused when any address of its name is', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    expect(await resolvedTargetFault('https://two-faced.example/', closed, resolve)).toBe(loopback);
    expect(await resolvedTargetFault('https://two-faced.example/', open, resolve)).toBeUndefined();
  });

  it('is refused when its name leads to a metadata service', async () => {
    const resolve = async () => [{ address: '::ffff:169.254.169.254', family: 6 }];
    expect(await resolvedTargetFault('https://sly.example/', open, resolve)).toBe(metadata);
  });

  it('is taken when its name cannot be looked up now', async () => {
    const fails = async () => Promise.reject(new Error('ENOTFOUND'));
    expect(await resolvedTargetFault('https://later.example/', closed, fails)).toBeUndefined();
  });
});

const forms: readonly ((value: number, parts: readonly number[]) => string)[] = [
  (value) => String(value),
  (value) => `0x${value.toString(16)}`,
  (value) => `0${value.toString(8)}`,
  (_value, parts) => parts.map((part) => `0x${part.toString(16)}`).join('.'),
  (_value, parts) => parts.map((part) => `0${part.toString(8)}`).join('.'),
  (value, parts) => `${parts[0]}.${value & 0xffffff}`,
  (value, parts) => `${parts[0]}.${parts[1]}.${value & 0xffff}`,
  (_value, parts) => `${parts.join('.')}.`,
  (_value, parts) => `[::ffff:${parts.join('.')}]`,
  (_value, parts) => parts.join('。'),
];
