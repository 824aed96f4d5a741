import type { AuthenticationCreds, WASocket } from '@whiskeysockets/baileys';
import type { Acknowledgements } from './acknowledgements.ts';

/** One connection of a session to the network. */
export interface Connection {
  readonly socket: WASocket;
  readonly credentials: AuthenticationCreds;
  readonly acknowledgements: Acknowledgements;
  isOpen: boolean;
  qrCodes: number;
  watchdog: NodeJS.Timeout;
}
