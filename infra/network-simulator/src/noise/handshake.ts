import { Curve, proto } from '@whiskeysockets/baileys';
import type { ServerIdentity } from '../keys/certificates.ts';
import { SymmetricState } from './symmetric-state.ts';
import { Transport } from './transport.ts';

/** The client's words about itself in its last message of the handshake. */
export type Introduction = { noiseKey: Buffer; payload: proto.ClientPayload; transport: Transport };

/** The server's side of the handshake of one connection: greet, then finish. */
export class Handshake {
  private readonly state = new SymmetricState();
  private readonly ephemeral = Curve.generateKeyPair();
  private readonly identity: ServerIdentity;

  constructor(identity: ServerIdentity, header: Buffer) {
    this.identity = identity;
    this.state.mixHash(header);
  }

  /** Answers the client's first message with the server's keys and certificates. */
  greet(message: Buffer): Uint8Array {
    const { clientHello } = proto.HandshakeMessage.decode(message);
    const clientEphemeral = required(clientHello?.ephemeral);
    this.state.mixHash(clientEphemeral);
    this.state.mixHash(this.ephemeral.public);
    this.state.mixSharedKey(Buffer.from(this.ephemeral.private), clientEphemeral);
    const encryptedStatic = this.state.encrypt(this.identity.leaf.public);
    this.state.mixSharedKey(this.identity.leaf.private, clientEphemeral);
    const payload = this.state.encrypt(this.identity.chain);
    const serverHello = { ephemeral: this.ephemeral.public, static: encryptedStatic, payload };
    return proto.HandshakeMessage.encode({ serverHello }).finish();
  }

  /** @throws when the client does not hold the keys that it names */
  finish(message: Buffer): Introduction {
    const { clientFinish } = proto.HandshakeMessage.decode(message);
    const noiseKey = this.state.decrypt(required(clientFinish?.static));
    this.state.mixSharedKey(Buffer.from(this.ephemeral.private), noiseKey);
    const payload = proto.ClientPayload.decode(this.state.decrypt(required(clientFinish?.payload)));
    return { noiseKey, payload, transport: new Transport(...this.state.split()) };
  }
}

function required(bytes: Uint8Array | null | undefined): Uint8Array {
  if (bytes === null || bytes === undefined) throw new Error('The handshake message is incomplete.');
  return bytes;
}
