import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { plainAddress } from '../request/request-state.ts';

/** Tells whether an address lies in one of the blocks. A block that can't be read lets nobody in. */
export function addressCheck(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', bits] = block.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    if (family === 'ipv6' && !isIPv6(network)) continue;
    list.addSubnet(network, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
}
