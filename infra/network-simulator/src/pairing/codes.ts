import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { aesDecryptCTR, aesEncryptCTR, Curve, derivePairingCodeKey, type BinaryNode } from '@whiskeysockets/baileys';
import type { Connection } from '../connection/connection.ts';
import { bytesOf, child, node, nowSeconds, SERVER } from '../connection/nodes.ts';
import { Refusal } from '../control/refusal.ts';
import type { Network } from '../network.ts';
import { parseJid } from '../people/jid.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { openKeyBundle } from './code-secrets.ts';
import type { Candidate } from './pairing.ts';

/** A client that shows a pairing code for a phone number. */
type Hello = { connection: Connection; ref: Buffer; wrappedKey: Buffer; finish: PromiseWithResolvers<Buffer> };

const CLIENT_ASKS_WITHIN_MS = 60_000;
const CLIENT_FINISHES_WITHIN_MS = 120_000;
const REGISTRATION = 'link_code_companion_reg';

/** Clients that ask for a phone number to be linked by a code; the last one per number counts. */
export class PairingCodes {
  private readonly hellos = new Map<string, Hello>();

  /** One of the client's two steps. @returns the answer's content, or the code of a refusal */
  step(network: Network, connection: Connection, registration: BinaryNode): BinaryNode[] | { error: number } {
    if (registration.attrs['stage'] === 'companion_hello') return this.hello(network, connection, registration);
    const ref = bytesOf(registration, 'link_code_pairing_ref');
    const hello = [...this.hellos.values()].find((one) => one.ref.equals(ref));
    hello?.finish.resolve(bytesOf(registration, 'link_code_pairing_wrapped_key_bundle'));
    return [];
  }

  /**
   * The owner types the code into the phone.
   * @throws Refusal when nobody asked for this number or the code is another one
   */
  async enter(network: Network, person: Person, code: string): Promise<LinkedDevice> {
    const { hello, candidate } = await this.asking(network, person.phone);
    const clientEphemeral = await unwrap(hello.wrappedKey, code);
    const ephemeral = Curve.generateKeyPair();
    hello.connection.send(invitation(hello, await wrap(ephemeral.public, code), person));
    const bundle = await withinTime(hello.finish.promise);
    const shared = Curve.sharedKey(ephemeral.private, clientEphemeral);
    const secret = openKeyBundle(bundle, shared, person.keys.identity, candidate.registration.identityKey);
    if (secret === undefined) throw new Refusal('PAIRING_CODE_WRONG', 'This is not the code that the client shows.');
    this.hellos.delete(person.phone);
    return network.pairing.link(person, candidate, secret);
  }

  /** The client that asks for this number; its question may still be on its way when the code is already shown. */
  private async asking(network: Network, phone: string): Promise<{ hello: Hello; candidate: Candidate }> {
    for (const deadline = Date.now() + CLIENT_ASKS_WITHIN_MS; Date.now() < deadline; await setTimeout(20)) {
      const hello = this.hellos.get(phone);
      const candidate = hello && network.pairing.candidate(hello.connection);
      if (hello !== undefined && candidate !== undefined) return { hello, candidate };
    }
    throw new Refusal('PAIRING_UNKNOWN', 'No connected client shows a pairing code for this number.');
  }

  private hello(network: Network, connection: Connection, registration: BinaryNode): BinaryNode[] | { error: number } {
    const phone = parseJid(registration.attrs['jid'])?.user ?? '';
    const error = network.directory.person(phone)?.behaviour.refusePairingCode ?? 0;
    if (error !== 0) return { error };
    const ref = Buffer.from(randomBytes(24).toString('base64url'));
    const wrappedKey = bytesOf(registration, 'link_code_pairing_wrapped_companion_ephemeral_pub');
    this.hellos.set(phone, { connection, ref, wrappedKey, finish: Promise.withResolvers<Buffer>() });
    return [node(REGISTRATION, { stage: 'companion_hello' }, [node('link_code_pairing_ref', {}, ref)])];
  }
}

/** @returns the registration step in a client's question, if it is one */
export function registrationStep(question: BinaryNode): BinaryNode | undefined {
  return child(question, REGISTRATION);
}

function invitation(hello: Hello, wrappedKey: Buffer, person: Person): BinaryNode {
  const attributes = { from: SERVER, type: REGISTRATION, id: randomBytes(6).toString('hex'), t: nowSeconds() };
  return node('notification', attributes, [
    node(REGISTRATION, { stage: 'primary_hello' }, [
      node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrappedKey),
      node('primary_identity_pub', {}, person.keys.identity.public),
      node('link_code_pairing_ref', {}, hello.ref),
    ]),
  ]);
}

// Wrapped: 32 bytes of salt, 16 of initialisation vector, the key encrypted with what the code yields.
async function wrap(key: Uint8Array, code: string): Promise<Buffer> {
  const [salt, vector] = [randomBytes(32), randomBytes(16)];
  return Buffer.concat([salt, vector, aesEncryptCTR(key, await derivePairingCodeKey(code, salt), vector)]);
}

async function unwrap(wrapped: Buffer, code: string): Promise<Buffer> {
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, 32));
  return aesDecryptCTR(wrapped.subarray(48, 80), key, wrapped.subarray(32, 48));
}

async function withinTime(finish: Promise<Buffer>): Promise<Buffer> {
  const stop = new AbortController();
  const late = setTimeout(CLIENT_FINISHES_WITHIN_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Refusal('CLIENT_SILENT', 'The client did not go on with the linking in time.');
  });
  return Promise.race([finish, late]).finally(() => stop.abort());
}
