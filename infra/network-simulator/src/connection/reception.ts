import type { BinaryNode } from '@whiskeysockets/baileys';
import { takeMessage } from '../messages/taking.ts';
import type { Network } from '../network.ts';
import { answer } from '../queries/answer.ts';
import { takeChatState, takePresence } from '../presence/from-devices.ts';
import { takeAck } from '../receipts/acks.ts';
import { takeReceipt } from '../receipts/from-devices.ts';
import type { Connection, ConnectionEvents } from './connection.ts';
import { introduced } from './login.ts';

/** Handles everything that arrives on a connection. */
export function reception(network: Network): ConnectionEvents {
  return {
    introduced: (connection, introduction) => introduced(network, connection, introduction),
    received: (connection, stanza) => received(network, connection, stanza),
    closed: (connection) => closed(network, connection),
  };
}

function received(network: Network, connection: Connection, stanza: BinaryNode): void | Promise<void> {
  if (stanza.tag === 'iq') return answer(network, connection, stanza);
  const { device } = connection;
  if (device === undefined) return;
  switch (stanza.tag) {
    case 'message':
      return takeMessage(network, device, stanza);
    case 'receipt':
      return takeReceipt(network, device, stanza);
    case 'ack':
      return takeAck(network, device, stanza);
    case 'chatstate':
      return takeChatState(network, device, stanza);
    case 'presence':
      return takePresence(network, device, stanza);
    default: // telemetry: nothing depends on it
      return;
  }
}

function closed(network: Network, connection: Connection): void {
  network.connections.delete(connection);
  network.statistics.network.connections -= 1;
  network.pairing.withdraw(connection);
  const { device } = connection;
  if (device?.connection !== connection) return;
  device.connection = undefined;
  device.active = false;
  device.presence = undefined;
  device.watched.clear();
}
