import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { reachOf } from './address.ts';

const octet = fc.integer({ min: 0, max: 255 });
const v4 = fc.tuple(octet, octet, octet, octet);
const dotted = (parts: readonly number[]): string => parts.join('.');
const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);

/** IPv6 forms that carry an IPv4 address. */
const carriers: Readonly<Record<string, (a: number, b: number, c: number, d: number) => string>> = {
  mapped: (a, b, c, d) => `::ffff:${dotted([a, b, c, d])}`,
  'mapped, in hexadecimal': (a, b, c, d) => `::ffff:${hex(a, b)}:${hex(c, d)}`,
  compatible: (a, b, c, d) => `::${hex(a, b)}:${hex(c, d)}`,
  translated: (a, b, c, d) => `::ffff:0:${hex(a, b)}:${hex(c, d)}`,
  NAT64: (a, b, c, d) => `64:ff9b::${hex(a, b)}:${hex(c, d)}`,
  'NAT64, local prefix': (a, b, c, d) => `64:ff9b:1::${hex(a, b)}:${hex(c, d)}`,
  '6to4': (a, b, c, d) => `2002:${hex(a, b)}:${hex(c, d)}::1`,
  'Teredo client': (a, b, c, d) => `2001:0:102:304:0:0:${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}`,
  ISATAP: (a, b, c, d) => `2600::5efe:${hex(a, b)}:${hex(c, d)}`,
};

describe('where an address leads', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    '%s is public',
    (address) => expect(reachOf(address)).toBe('public'),
  );

  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '::ffff:127.0.0.1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '4000::1',
    'not an address',
    '',
  ])('%s is private', (address) => expect(reachOf(address)).toBe('private'));

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '[::ffff:169.254.169.254]',
  ])('%s is a metadata service', (address) => expect(reachOf(address)).toBe('metadata'));

  it.each(Object.entries(carriers))('is the same or worse for an address carried as %s', (_name, carry) => {
    fc.assert(
      fc.property(v4, (parts) => {
        const inner = reachOf(dotted(parts));
        const outer = reachOf(carry(...parts));
        if (inner === 'metadata') return outer === 'metadata';
        return inner === 'public' || outer === 'private';
      }),
      { examples: [[[169, 254, 169, 254]], [[127, 0, 0, 1]], [[10, 0, 0, 1]]] },
    );
  });
});
