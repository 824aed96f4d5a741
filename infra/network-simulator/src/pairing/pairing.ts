import { randomBytes } from 'node:crypto';
import type { BinaryNode } from '@whiskeysockets/baileys';
import type { Connection } from '../connection/connection.ts';
import { node, SERVER } from '../connection/nodes.ts';
import { RESTART } from '../connection/stream-errors.ts';
import { Refusal } from '../control/refusal.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice, Registration } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { announceDevices } from './announcement.ts';
import { PairingCodes } from './codes.ts';
import { signedDeviceIdentity } from './device-identity.ts';
import { passkeyRequest } from './passkey.ts';

/** A client that waits to be linked. */
export type Candidate = {
  connection: Connection;
  registration: Registration;
  refs: string[];
  /** Secrets of QR codes that the client has replaced at the server's request. */
  retired: Set<string>;
  linking?: { device: LinkedDevice; signed: PromiseWithResolvers<LinkedDevice> };
};

const REFS = 6;
const CLIENT_SIGNS_WITHIN_MS = 120_000;

/** Clients that ask to be linked, until a phone takes one of them in. */
export class Pairing {
  readonly codes = new PairingCodes();
  private readonly network: Network;
  private readonly candidates = new Map<Connection, Candidate>();

  constructor(network: Network) {
    this.network = network;
  }

  /** Gives the client references to show as QR codes. */
  offer(connection: Connection, registration: Registration): void {
    const refs = Array.from({ length: REFS }, () => `2@${randomBytes(48).toString('base64url')}`);
    this.candidates.set(connection, { connection, registration, refs, retired: new Set() });
    const content = refs.map((ref) => node('ref', {}, Buffer.from(ref)));
    const attributes = { from: SERVER, type: 'set', id: `pair-${randomBytes(4).toString('hex')}` };
    connection.send(node('iq', attributes, [node('pair-device', {}, content)]));
  }

  candidate(connection: Connection): Candidate | undefined {
    return this.candidates.get(connection);
  }

  byRef(ref: string): Candidate | undefined {
    return [...this.candidates.values()].find((candidate) => candidate.refs.includes(ref));
  }

  /**
   * Takes a client into a phone's account and waits until it has signed its identity.
   * @param secret the secret that only the phone and this client share
   * @throws Refusal when the client does not answer in time, or the account wants a passkey first
   */
  async link(person: Person, candidate: Candidate, secret: Buffer): Promise<LinkedDevice> {
    if (person.behaviour.passkey) {
      candidate.connection.send(passkeyRequest());
      throw new Refusal('PASSKEY_REQUIRED', 'The account is linked with a passkey alone.');
    }
    const device = person.link(candidate.registration);
    const signed = Promise.withResolvers<LinkedDevice>();
    candidate.linking = { device, signed };
    const late = () => signed.reject(new Refusal('CLIENT_SILENT', 'The client did not sign its identity in time.'));
    const timer = setTimeout(late, CLIENT_SIGNS_WITHIN_MS);
    candidate.connection.send(pairSuccess(device, signedDeviceIdentity(person, device, secret)));
    try {
      return await signed.promise;
    } catch (error) {
      person.devices.delete(device.id);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The client has signed: from here on it is linked, and has to come back as such. */
  signed(connection: Connection): void {
    const linking = this.candidates.get(connection)?.linking;
    if (linking === undefined) return;
    this.candidates.delete(connection);
    this.network.statistics.network.linked += 1;
    this.network.log({ event: 'linked', device: linking.device.id });
    this.network.onLinks();
    connection.end(RESTART);
    announceDevices(linking.device);
    linking.signed.resolve(linking.device);
  }

  withdraw(connection: Connection): void {
    const linking = this.candidates.get(connection)?.linking;
    this.candidates.delete(connection);
    linking?.signed.reject(new Refusal('CLIENT_GONE', 'The client hung up while it was being linked.'));
  }

  forget(): void {
    for (const connection of this.candidates.keys()) this.withdraw(connection);
  }
}

function pairSuccess(device: LinkedDevice, identity: Uint8Array): BinaryNode {
  return node('iq', { from: SERVER, type: 'set', id: `pair-${randomBytes(4).toString('hex')}` }, [
    node('pair-success', {}, [
      node('device-identity', {}, identity),
      node('device', { jid: device.jid, lid: device.lidJid }),
      node('platform', { name: 'android' }),
    ]),
  ]);
}
