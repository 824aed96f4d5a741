import type { BinaryNode } from '@whiskeysockets/baileys';
import type { Connection } from '../connection/connection.ts';
import { child } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import { unlink } from '../pairing/unlink.ts';
import { registrationStep } from '../pairing/codes.ts';

/** Questions of clients about being linked: the steps of a pairing code, and leaving. */
export function companionQuery(
  network: Network,
  connection: Connection,
  question: BinaryNode,
): BinaryNode[] | { error: number } {
  const step = registrationStep(question);
  if (step !== undefined) return network.pairing.codes.step(network, connection, step);
  if (child(question, 'remove-companion-device') === undefined) return { error: 501 };
  // After this turn, so that the answer leaves before the connection ends.
  if (connection.device !== undefined) setImmediate(unlink, network, connection.device);
  return [];
}
