import type { Addressing } from './jid.ts';

type ReceiptBehaviour = 'none' | 'delivered' | 'read';

/** How a simulated person reacts to messages from linked devices. */
export type Behaviour = {
  /** Whether the number is on the network at all. */
  exists: boolean;
  /** Which receipts are sent of their own accord. */
  receipts: ReceiptBehaviour;
  /** How many of the next messages are answered with "I can't read this, send it again". */
  askRetry: number;
  /** The code that the network refuses messages to this person with; 0 refuses none. */
  refuse: number;
  /** The code that adding this person to a group is refused with, 403 together with an invitation; 0 lets everybody. */
  refuseGroups: number;
  /** Milliseconds by which the network's acknowledgement is late. */
  holdAck: number;
  /** The network takes and delivers messages to this person but never says so. */
  ackNever: boolean;
  /** The account is linked with a passkey alone, which a client in a browser shows: others get no further. */
  passkey: boolean;
  /** Milliseconds after which this person's phone answers a linked device that requests a message again; -1 never. */
  resendAfterMs: number;
  /** The code that linking by a pairing code is refused with; 0 refuses none. */
  refusePairingCode: number;
  /** Whether what this person writes arrives under the LID (as today) or under the phone number. */
  addressing: Addressing;
};

export const ORDINARY: Behaviour = {
  exists: true,
  receipts: 'delivered',
  askRetry: 0,
  refuse: 0,
  refuseGroups: 0,
  holdAck: 0,
  ackNever: false,
  passkey: false,
  resendAfterMs: -1,
  refusePairingCode: 0,
  addressing: 'lid',
};
