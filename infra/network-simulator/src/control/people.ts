import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import type { DeviceFact, PhoneFact } from './contract.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal when this can't be a phone number (JSON may hold anything) */
export function personOf(network: Network, phone: string): Person {
  const person = typeof phone === 'string' ? network.directory.person(phone) : undefined;
  if (person === undefined) throw new Refusal('PHONE_INVALID', 'A phone number is 5 to 15 digits with country code.');
  return person;
}

export function linked({ devices }: Person): LinkedDevice[] {
  if (devices.size === 0) throw new Refusal('NOT_LINKED', 'This phone has no linked device.');
  return [...devices.values()];
}

export function phoneFact(person: Person): PhoneFact {
  const { phone, lid, pushName } = person;
  return { phone, lid, jid: person.jid('phone'), pushName, devices: [...person.devices.values()].map(deviceFact) };
}

export function deviceFact(device: LinkedDevice): DeviceFact {
  const { id, jid, active, presence, mailbox } = device;
  return { device: id, jid, connected: active, presence, waiting: mailbox.size };
}
