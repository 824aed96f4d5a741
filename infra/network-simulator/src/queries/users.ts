import type { BinaryNode } from '@whiskeysockets/baileys';
import { child, children, contentBytes, node, nowSeconds } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import { parseJid, phoneJid } from '../people/jid.ts';
import type { Person } from '../people/person.ts';
import type { Query } from './answer.ts';

type Asked = { jid: string; person: Person; byNumber: boolean };

/**
 * Answers who is on the network, under which LID, with which devices.
 * Whoever is not there is left out. A LID is told for every number asked about and never for a LID:
 * clients store both as pairs.
 */
export const userQuery: Query = (network, device, question) => {
  const query = child(question, 'usync');
  const protocols = children(child(query, 'query')).map((protocol) => protocol.tag);
  countNumbers(network, protocols, children(child(query, 'list'), 'user'));
  const users = children(child(query, 'list'), 'user').flatMap((user) => {
    const jid = user.attrs['jid'] ?? jidOfNumber(child(user, 'contact'));
    const person = network.directory.find(jid);
    if (person === undefined) return [];
    if (protocols.includes('devices')) person.watchers.add(device.owner);
    const asked = { jid, person, byNumber: parseJid(jid)?.addressing === 'phone' };
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

function answerTo(protocol: string, { person, byNumber }: Asked): BinaryNode[] {
  switch (protocol) {
    case 'contact':
      return [node('contact', { type: 'in' })];
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

function jidOfNumber(contact: BinaryNode | undefined): string {
  return phoneJid(contentBytes(contact).toString().replace(/\D/g, ''));
}
