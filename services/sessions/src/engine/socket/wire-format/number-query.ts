import {
  getBinaryNodeChildString,
  jidDecode,
  USyncContactProtocol,
  USyncQuery,
  USyncUser,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { KnownNumber } from '../../engine.ts';

/** The result of a query for one number. */
interface Found {
  /** Digits as they were requested; undefined when the network does not repeat them. */
  readonly requested: string | undefined;
  /** Digits of the address that the network returned. */
  readonly digits: string;
}

const library = new USyncContactProtocol();
/** The library's protocol, whose parser drops the requested number, which the network repeats in the `contact` node. */
const contactProtocol: USyncQuery['protocols'][number] = {
  name: library.name,
  getQueryElement: () => library.getQueryElement(),
  getUserElement: (user) => library.getUserElement(user),
  parser: (node): false | Pick<Found, 'requested'> => {
    if (node.attrs['type'] !== 'in') return false;
    const requested = getBinaryNodeChildString({ tag: 'user', attrs: {}, content: [node] }, 'contact');
    return { requested: requested?.replaceAll(/\D/g, '') || undefined };
  },
};

/**
 * Finds the addresses of numbers. The network may return another form of a number; which number a result belongs to is read from
 * the `contact` node, never from equal digits. Numbers for which the network does not say so are queried one by one.
 *
 * @param phones digits
 * @throws when the network does not answer
 */
export async function addressesOfNumbers(socket: WASocket, phones: readonly string[]): Promise<readonly KnownNumber[]> {
  const found = await queried(socket, phones);
  const known = new Map<string, string>();
  const [only] = phones.length === 1 ? phones : [];
  for (const { requested, digits } of found) known.set(requested ?? only ?? digits, digits);
  const isAmbiguous = found.some(({ requested, digits }) => requested === undefined && !phones.includes(digits));
  if (isAmbiguous && phones.length > 1)
    for (const phone of phones.filter((one) => !known.has(one))) {
      const [result] = await queried(socket, [phone]);
      if (result !== undefined) known.set(phone, result.digits);
    }
  return phones.flatMap((phone) => {
    const digits = known.get(phone);
    return digits === undefined ? [] : [{ phone, jid: `${digits}@c.us` }];
  });
}

async function queried(socket: WASocket, phones: readonly string[]): Promise<readonly Found[]> {
  const query = new USyncQuery();
  query.protocols.push(contactProtocol);
  for (const phone of phones) query.withUser(new USyncUser().withPhone(`+${phone}`));
  const result = await socket.executeUSyncQuery(query);
  if (result === undefined) throw new Error('the response has no result');
  return result.list.flatMap(({ id, contact }) => {
    const digits = jidDecode(id)?.user;
    return digits === undefined || !isContact(contact) ? [] : [{ ...contact, digits }];
  });
}

const isContact = (value: unknown): value is Pick<Found, 'requested'> =>
  typeof value === 'object' && value !== null && 'requested' in value;
