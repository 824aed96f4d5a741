import type { BinaryNode } from '@whiskeysockets/baileys';
import { child, children, contentBytes, node, nowSeconds } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import { parseJid } from '../people/jid.ts';
import type { Person } from '../people/person.ts';
import type { Query } from './answer.ts';

/** `number` is the number as the client wrote it, in a query by number. */
type Asked = { person: Person; number: string | undefined; byNumber: boolean };

/**
 * Answers who is on the network, under which LID, with which devices.
 * Whoever is not there is left out. A number in another form than the network's own returns the canonical address,
 * and the `contact` node repeats the number as it was written. A LID is told for every number asked about and never for a LID:
 * clients store both as pairs.
 */
export const userQuery: Query = (network, device, question) => {
  const query = child(question, 'usync');
  const protocols = children(child(query, 'query')).map((protocol) => protocol.tag);
  countNumbers(network, protocols, children(child(query, 'list'), 'user'));
  const users = children(child(query, 'list'), 'user').flatMap((user) => {
    const number = user.attrs['jid'] === undefined ? contentBytes(child(user, 'contact')).toString() : undefined;
    const person =
      number === undefined
        ? network.directory.find(user.attrs['jid'])
        : network.directory.byNumber(number.replace(/\D/g, ''));
    if (person === undefined) return [];
    const jid = user.attrs['jid'] ?? person.jid('phone');
    if (protocols.includes('devices')) person.watchers.add(device.owner);
    const asked = { person, number, byNumber: parseJid(jid)?.addressing === 'phone' };
    return [
      node(
        'user',
        { jid },
        protocols.flatMap((protocol) => answerTo(protocol, asked)),
      ),
    ];
  });
  const { sid, context, mode } = query?.attrs ?? {};
  return [node('usync', { sid, context, mode, index: '0', last: 'true' }, [node('list', {}, users)])];
};

function countNumbers({ statistics }: Network, protocols: string[], users: BinaryNode[]): void {
  if (!protocols.includes('contact')) return;
  statistics.network.numberQuestions += 1;
  statistics.network.numbersAsked += users.length;
}

function answerTo(protocol: string, { person, number, byNumber }: Asked): BinaryNode[] {
  switch (protocol) {
    case 'contact':
      return [node('contact', { type: 'in' }, number)];
    case 'lid':
      return byNumber ? [node('lid', { val: person.jid('lid') })] : [];
    case 'devices':
      return [devicesOf(person)];
    default:
      return [];
  }
}

function devicesOf(person: Person): BinaryNode {
  const linked = [...person.devices.keys()].map((id) => node('device', { id: String(id), 'key-index': String(id) }));
  return node('devices', {}, [
    node('device-list', {}, [node('device', { id: '0' }), ...linked]),
    node('key-index-list', { ts: nowSeconds() }),
  ]);
}
