import { CONFLICT } from '../connection/stream-errors.ts';
import { breaksAt, DROP_MOMENTS } from '../messages/drop-moment.ts';
import type { Content } from '../messages/kinds.ts';
import { write } from '../messages/writing.ts';
import type { Network } from '../network.ts';
import { scan } from '../pairing/qr.ts';
import { unlink } from '../pairing/unlink.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { sendReceipt } from '../receipts/from-people.ts';
import { changed } from './changes.ts';
import type { DeviceFact, PhoneFact, SimulatorControl, Text } from './contract.ts';
import { Refusal } from './refusal.ts';

const WAIT_MS = 10_000;

/** The control API's verbs, done to a network in this process. */
export function verbs(network: Network): SimulatorControl {
  const person = (phone: string) => personOf(network, phone);
  return {
    createPhone: async ({ phone, pushName }) => {
      const created = person(phone);
      created.pushName = pushName ?? created.pushName;
      return phoneFact(created);
    },
    phone: async (phone) => phoneFact(person(phone)),
    scan: async (phone, qr) => deviceFact(await scan(network, person(phone), qr)),
    enterPairingCode: async (phone, code) =>
      deviceFact(await network.pairing.codes.enter(network, person(phone), code.replace(/[-\s]/g, ''))),
    unlink: async (phone) => linked(person(phone)).forEach((device) => unlink(network, device)),
    conflict: async (phone) => linked(person(phone)).forEach((device) => device.connection?.end(CONFLICT)),
    drop: async (phone, when = 'now') => {
      if (!DROP_MOMENTS.includes(when)) throw new Refusal('MOMENT_UNKNOWN', `One of: ${DROP_MOMENTS.join(', ')}.`);
      for (const device of linked(person(phone))) {
        device.dropAt = when;
        breaksAt(network, device, 'now');
      }
    },
    sendFromPhone: async (phone, message) => ({
      id: await write(network, person(phone), person(message.to), contentOf(message)),
    }),
    sendFromContact: async (contact, message) => ({
      id: await write(network, person(contact), person(message.to), contentOf(message), message),
    }),
    messages: async (contact, choice = {}) => {
      await person(contact).reading.finish();
      return person(contact).inbox.shown(choice.from);
    },
    written: async (contact, choice = {}) => person(contact).outbox.written(choice.to),
    read: async (contact, choice = {}) => {
      const reader = person(contact);
      const messages = reader.inbox.markRead(choice);
      for (const { from, id, writtenTo } of messages) sendReceipt(reader, person(from), [id], 'read', writtenTo);
      return { ids: messages.map(({ id }) => id) };
    },
    configureContact: async (contact, behaviour) => ({ ...changed(person(contact).behaviour, behaviour) }),
    configureNetwork: async (settings) => ({ ...changed(network.settings, settings) }),
    statistics: async () => network.statistics.snapshot(),
    reset: async () => network.reset(),
    waitForMessages: async (contact, count, timeoutMs = WAIT_MS, from?: string) => {
      const messages = await person(contact).inbox.wait(count, timeoutMs, from);
      await person(contact).reading.finish();
      if (messages.length >= count) return messages;
      throw new Refusal(
        'MESSAGES_MISSING',
        `${messages.length} of ${count} messages were shown within ${timeoutMs} ms.`,
      );
    },
  };
}

function personOf(network: Network, phone: string): Person {
  const person = typeof phone === 'string' ? network.directory.person(phone) : undefined; // JSON may hold anything
  if (person === undefined) throw new Refusal('PHONE_INVALID', 'A phone number is 5 to 15 digits with country code.');
  return person;
}

function contentOf(message: Text): Content {
  const content = 'content' in message ? message.content : { type: 'text' as const, text: message.text };
  if (content.type !== 'text' || (typeof content.text === 'string' && content.text !== '')) return content;
  throw new Refusal('TEXT_MISSING', 'A message needs a text.');
}

function linked({ devices }: Person): LinkedDevice[] {
  if (devices.size === 0) throw new Refusal('NOT_LINKED', 'This phone has no linked device.');
  return [...devices.values()];
}

function phoneFact(person: Person): PhoneFact {
  const { phone, lid, pushName } = person;
  return { phone, lid, jid: person.jid('phone'), pushName, devices: [...person.devices.values()].map(deviceFact) };
}

function deviceFact(device: LinkedDevice): DeviceFact {
  return { device: device.id, jid: device.jid, connected: device.active, waiting: device.mailbox.size };
}
