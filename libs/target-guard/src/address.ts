import ipaddr from 'ipaddr.js';

/** Where an address leads: to the internet, into the own network (or nowhere), or to a cloud's metadata service. */
export type Reach = 'public' | 'private' | 'metadata';

/** Metadata services of the clouds: they hand out credentials to whoever asks. */
const metadataAddresses = new Set([
  '169.254.169.254', // most clouds
  '169.254.170.2', // container credentials
  '169.254.170.23', // pod identity
  '100.100.100.200',
  '168.63.129.16', // lies in a public range
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
]);

const order: readonly Reach[] = ['public', 'private', 'metadata'];
const worst = (reaches: readonly Reach[]): Reach =>
  reaches.reduce((a, b) => (order.indexOf(b) > order.indexOf(a) ? b : a), 'public');

/**
 * Where an IP address leads. IPv6 forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP)
 * lead where that one leads. A zone id and brackets are ignored; what is no address counts as private.
 */
export function reachOf(address: string): Reach {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return 'private';
  const parsed = ipaddr.parse(bare);
  if (metadataAddresses.has(parsed.toString())) return 'metadata';
  return parsed.kind() === 'ipv4' ? reachOfV4(parsed as ipaddr.IPv4) : reachOfV6(parsed as ipaddr.IPv6);
}

const reachOfV4 = (address: ipaddr.IPv4): Reach => (address.range() === 'unicast' ? 'public' : 'private');

function reachOfV6(address: ipaddr.IPv6): Reach {
  const carried = worst(carriedBy(address.parts).map((v4) => reachOf(v4)));
  const range = address.range();
  // Translated by the network to the very IPv4 address, so public when that one is.
  if (range === 'ipv4Mapped' || range === 'rfc6052') return carried;
  // Only 2000::/3 is given out as global unicast; the rest is special or not routed.
  const own: Reach = range === 'unicast' && ((address.parts[0] ?? 0) & 0xe000) === 0x2000 ? 'public' : 'private';
  return worst([own, carried]);
}

/** IPv4 addresses that an IPv6 address carries. `parts` are its eight 16-bit groups. */
function carriedBy(parts: readonly number[]): string[] {
  const [p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, p6 = 0, p7 = 0] = parts;
  const carried: string[] = [];
  if (p0 === 0x2002) carried.push(v4(p1, p2)); // 6to4
  if (p0 === 0x2001 && p1 === 0) carried.push(v4(p2, p3), v4(p6 ^ 0xffff, p7 ^ 0xffff)); // Teredo: server and client
  const lastHoldsV4 =
    (p0 === 0x64 && p1 === 0xff9b) || // NAT64, well-known and local prefix
    (p0 === 0 && p1 === 0 && p2 === 0 && p3 === 0) || // compatible, mapped, translated
    ((p4 & 0xfdff) === 0 && p5 === 0x5efe); // ISATAP
  if (lastHoldsV4) carried.push(v4(p6, p7));
  return carried;
}

const v4 = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');
