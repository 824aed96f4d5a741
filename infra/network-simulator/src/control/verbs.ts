import { CONFLICT } from '../connection/stream-errors.ts';
import { breaksAt, DROP_MOMENTS } from '../messages/drop-moment.ts';
import { announcePast } from '../history/announcing.ts';
import type { Network } from '../network.ts';
import { refreshCompanion, scan } from '../pairing/qr.ts';
import { unlink } from '../pairing/unlink.ts';
import { Past } from '../people/past.ts';
import { saveName } from './address-book-verb.ts';
import { changeAllowance } from './allowance-verb.ts';
import { changed } from './changes.ts';
import type { SimulatorControl } from './contract.ts';
import { groupVerbs } from './group-verbs.ts';
import { messageVerbs } from './message-verbs.ts';
import { deviceFact, linked, personOf, phoneFact } from './people.ts';
import { Refusal } from './refusal.ts';
import { stanzaFrom } from './stanzas.ts';

/** The control API's verbs, done to a network in this process. */
export function verbs(network: Network): SimulatorControl {
  const person = (phone: string) => personOf(network, phone);
  return {
    ...messageVerbs(network),
    ...groupVerbs(network),
    createPhone: async ({ phone, pushName }) => {
      const created = person(phone);
      created.pushName = pushName ?? created.pushName;
      return phoneFact(created);
    },
    givePast: async (phone, plan) => {
      const owner = person(phone);
      if (!Array.isArray(plan.contacts) || plan.contacts.length === 0)
        throw new Refusal('CONTACTS_MISSING', 'A past needs contacts, by number.');
      owner.past = new Past(owner, plan.contacts.map(person), plan);
      for (const device of owner.devices.values()) if (device.synchronized) await announcePast(network, device);
      return Object.fromEntries(owner.past.chats.map(({ contact, messages }) => [contact.phone, messages.length]));
    },
    deliverStanza: async (phone, { node }) => {
      const stanza = stanzaFrom(node);
      for (const device of linked(person(phone))) device.deliver(stanza);
    },
    alias: async (canonicalByNumber) => {
      const pairs = Object.entries(canonicalByNumber).map(([number, canonical]) => [person(number), person(canonical)]);
      for (const [number, canonical] of pairs) {
        if (number === undefined || canonical === undefined) continue;
        if (number === canonical)
          throw new Refusal('ALIAS_INVALID', `${number.phone} cannot be another form of itself.`);
        network.directory.alias(number.phone, canonical.phone);
      }
    },
    saveName: async (phone, { contact, name }) => saveName(person(phone), person(contact), name),
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
    configureContact: async (contact, { restriction, newChats, ...behaviour }) => {
      const changes = person(contact);
      const settings = changed(changes.behaviour, behaviour);
      changeAllowance(changes, { restriction, newChats });
      return { ...settings, ...changes.allowance };
    },
    refreshPairing: async (qr) => refreshCompanion(network, qr),
    configureNetwork: async (settings) => ({ ...changed(network.settings, settings) }),
    statistics: async () => network.statistics.snapshot(),
    reset: async () => network.reset(),
  };
}
