import { decodeBinaryNode, encodeBinaryNode, type BinaryNode } from '@whiskeysockets/baileys';
import type { WebSocket } from 'ws';
import { frame, FrameReader } from '../noise/frames.ts';
import { Handshake, type Introduction } from '../noise/handshake.ts';
import type { Transport } from '../noise/transport.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';

export type ConnectionEvents = {
  introduced(connection: Connection, introduction: Introduction): void;
  received(connection: Connection, stanza: BinaryNode): void | Promise<void>;
  closed(connection: Connection): void;
};

// Clients switch to the transport keys only after their last message of the handshake is written.
const CLIENT_SWITCHES_KEYS_MS = 10;
// Clients hang up when they have heard the last words. What is cut off before loses them: to a client that is slow the
// line has broken then, and not ended with a reason.
const LAST_WORDS_MS = 30_000;

/** One client's connection: bytes on one side, binary nodes on the other. */
export class Connection {
  /** The device that is logged in on this connection. */
  device: LinkedDevice | undefined;
  private readonly socket: WebSocket;
  private readonly network: Network;
  private readonly events: ConnectionEvents;
  private readonly frames = new FrameReader();
  private handshake: Handshake | undefined;
  private transport: Transport | undefined;
  private inbound: Promise<void> = Promise.resolve();
  private ended = false;
  /** Whether the server hung up: what the client still says is lost. What came before the client hung up counts. */
  private deaf = false;

  constructor(socket: WebSocket, network: Network, events: ConnectionEvents) {
    this.socket = socket;
    this.network = network;
    this.events = events;
    socket.on('message', (data: Buffer) => this.read(data));
    socket.on('error', () => this.drop());
    socket.on('close', () => this.close());
  }

  send(stanza: BinaryNode): void {
    const { latencyMs } = this.network.settings;
    if (latencyMs > 0) setTimeout(() => this.write(stanza), latencyMs);
    else this.write(stanza);
  }

  /** Says a last thing and hangs up. */
  end(stanza: BinaryNode): void {
    this.send(stanza);
    setTimeout(() => this.drop(), this.network.settings.latencyMs + LAST_WORDS_MS).unref();
    this.deaf = true;
    this.close();
  }

  /** Cuts the line, as a network does that breaks. */
  drop(): void {
    this.deaf = true;
    this.close();
    this.socket.terminate();
  }

  private close(): void {
    if (this.ended) return;
    this.ended = true;
    this.events.closed(this);
  }

  private write(stanza: BinaryNode): void {
    if (this.transport === undefined || this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(frame(this.transport.encrypt(encodeBinaryNode(stanza))));
  }

  private read(data: Buffer): void {
    if (this.deaf) return;
    try {
      for (const payload of this.frames.push(data)) this.readFrame(payload);
    } catch (error) {
      this.network.log({ event: 'connection-unreadable', reason: String(error) });
      this.drop();
    }
  }

  private readFrame(payload: Buffer): void {
    if (this.transport !== undefined) return this.readStanza(this.transport.decrypt(payload));
    if (this.handshake === undefined) {
      this.handshake = new Handshake(this.network.identity, this.frames.header ?? Buffer.alloc(0));
      this.socket.send(frame(this.handshake.greet(payload)));
      return;
    }
    const introduction = this.handshake.finish(payload);
    this.transport = introduction.transport;
    setTimeout(() => this.ended || this.events.introduced(this, introduction), CLIENT_SWITCHES_KEYS_MS);
  }

  private readStanza(bytes: Buffer): void {
    this.inbound = this.inbound
      .then(async () => {
        const stanza = await decodeBinaryNode(bytes);
        if (!this.deaf) await this.events.received(this, stanza);
      })
      .catch((error: unknown) => this.network.log({ event: 'stanza-failed', reason: String(error) }));
  }
}
