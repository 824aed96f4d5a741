import type { Message } from './shapes.ts';

/** How far a message has come: none goes backwards. */
const order: readonly Message['status'][] = [
  'queued',
  'sending',
  'unknown',
  'failed',
  'sent',
  'delivered',
  'read',
  'played',
  'deleted',
];

/** The later one of two states of a message. */
export const later = (one: Message['status'], other: Message['status']): Message['status'] =>
  order.indexOf(other) > order.indexOf(one) ? other : one;
