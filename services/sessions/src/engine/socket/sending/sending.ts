import { Refused } from '@messaging-gateway/messaging';
import { Recent, type Clock } from '@messaging-gateway/runtime';
import { proto, type BinaryNode, type WASocket } from '@whiskeysockets/baileys';
import { dueChange } from '../../../session-data/retention.ts';
import type { Change } from '../../../session-data/session-data-store.ts';
import { notConnected, nothingLeft, type SendOrder, type SendOutcome } from '../../engine.ts';
import { sending, type Sending } from '../signal/durable-repository.ts';
import type { userDevices } from '../signal/signal-state.ts';
import { ownAddresses, toNetwork, type Self } from '../wire-format/addresses.ts';
import { pollChanges } from '../wire-format/polls.ts';
import { stanzaOptions } from './outgoing-message.ts';

export interface Way {
  readonly socket: WASocket;
  readonly acknowledgements: Acknowledgements;
  readonly devices: ReturnType<typeof userDevices>;
  readonly clock: Clock;
  readonly isOpen: () => boolean;
  readonly self: Self;
  /** Before a message to a group. */
  renewKey(group: string): Promise<void>;
  /** Makes the message ready: with its media uploaded. @throws Refused */
  make(): Promise<proto.IMessage>;
}

/**
 * Hands one message to the network and waits for its answer until the deadline.
 *
 * @throws Refused with `details.nothingLeft` when nothing has left and nothing will
 */
export async function sendThrough(way: Way, order: SendOrder): Promise<SendOutcome> {
  const to = toNetwork(order.to);
  const left = (): number => order.deadline - way.clock.now();
  if (await isAbsent(way, to)) return recipientUnknown;
  const made = await messageOf(way, order);
  if ('outcome' in made) return made;
  const message = proto.Message.fromObject(made);
  if (to.endsWith('@g.us')) await way.renewKey(to);
  const attempt: Sending = {
    record: [
      ...order.record(proto.Message.encode(message).finish()),
      ...(order.content.type === 'poll' ? pollRecord(way, order, message) : []),
    ],
    isHandedIn: false,
    recorded: false,
    cancelled: false,
  };
  const answer = way.acknowledgements.expect(order.networkMessageId, left(), (outcome) => order.late?.(outcome));
  const relayed = sending.run(attempt, () =>
    way.socket.relayMessage(to, message, { messageId: order.networkMessageId, ...stanzaOptions(message) }),
  );
  const failure = relayed.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) => ({ error }),
  );
  const first = await Promise.race([answer, failure]);
  if (!('error' in first)) return settled(first, attempt, way);
  way.acknowledgements.take({ tag: 'ack', attrs: { id: order.networkMessageId } });
  return failed(first.error, attempt, way, to.endsWith('@g.us'));
}

/** What votes on a poll will be read with. */
function pollRecord({ clock, self }: Way, order: SendOrder, message: proto.IMessage): Change[] {
  const now = clock.now();
  const changes = pollChanges(order.networkMessageId, message, ownAddresses(self), now);
  return changes.flatMap((poll) => [poll, dueChange('poll', [poll.id], now)]);
}

/** The message of an order; one that has left before goes again as it was. Media that are not to be had are an outcome, and an attempt. */
async function messageOf(way: Way, order: SendOrder): Promise<proto.IMessage | SendOutcome> {
  if (order.encoded !== undefined) return proto.Message.decode(order.encoded);
  try {
    const message = await way.make();
    if (!way.isOpen()) throw notConnected();
    return message;
  } catch (error) {
    if (!way.isOpen()) throw notConnected();
    if (!(error instanceof Refused)) throw error;
    const { code, message: reason } = error;
    if (error.details === nothingLeft) throw error;
    return { outcome: 'refused', code, reason };
  }
}

/** An answer came, the deadline passed, or the connection ended. */
function settled(outcome: SendOutcome, attempt: Sending, way: Way): SendOutcome {
  if (outcome.outcome !== 'handed-over' || attempt.recorded) return outcome;
  attempt.cancelled = true;
  if (!way.isOpen()) throw notConnected();
  throw new Refused('ENGINE_TIMEOUT', 'The network did not answer in time; nothing has left.', nothingLeft);
}

/** The library gave up. Once the ratchet has moved the message may have left, whatever the error says. */
function failed(error: unknown, attempt: Sending, way: Way, isGroup: boolean): SendOutcome {
  const reason = error instanceof Error ? error.message : '';
  const nobodyReached = reason === 'All encryptions failed';
  if (attempt.recorded && !nobodyReached) return { outcome: 'handed-over' };
  attempt.cancelled = true;
  if (!way.isOpen()) throw notConnected();
  const { data } = error as { data?: unknown };
  // Who is in a group is asked before anything is encrypted: the network does not tell those who are not.
  if (isGroup && typeof data === 'number') return refusedWith(String(data));
  throw new Refused('ENGINE_REFUSED', 'The message could not be made ready for the recipient.', nothingLeft);
}

/** Asked only for numbers without a known device: an answer for the others costs nothing. */
async function isAbsent(way: Way, to: string): Promise<boolean> {
  const [user = '', server] = to.split('@');
  if (server !== 's.whatsapp.net' || (await way.devices.knows(user))) return false;
  try {
    const found = await way.socket.onWhatsApp(to);
    return found !== undefined && !found.some(({ exists }) => exists);
  } catch {
    // No answer is none: the send itself will tell.
    return false;
  }
}

/** Answers that come late are taken for so many messages. */
const mostLate = 1_000;

/** Waits for the network's answers to messages of one connection. */
export class Acknowledgements {
  readonly #waiting = new Map<string, (outcome: SendOutcome) => void>();
  /** Sends for which nobody waits any more. */
  readonly #late = new Recent<(outcome: SendOutcome) => void>(mostLate);

  /**
   * Resolves with the answer, or with `handed-over` when the connection ends or nobody can wait any longer.
   *
   * @param late told of an answer that comes after that, over the same connection
   */
  expect(networkMessageId: string, milliseconds: number, late?: (outcome: SendOutcome) => void): Promise<SendOutcome> {
    return new Promise((resolve) => {
      this.#late.delete(networkMessageId);
      const settle = (outcome: SendOutcome): void => {
        clearTimeout(timer);
        this.#waiting.delete(networkMessageId);
        resolve(outcome);
      };
      const timer = setTimeout(
        () => {
          settle({ outcome: 'handed-over' });
          if (late !== undefined) this.#late.set(networkMessageId, late);
        },
        Math.max(0, milliseconds),
      );
      this.#waiting.set(networkMessageId, settle);
    });
  }

  take({ attrs }: BinaryNode): void {
    const { id = '', error } = attrs;
    const settle = this.#waiting.get(id) ?? this.#late.get(id);
    this.#late.delete(id);
    settle?.(error === undefined || error === '0' ? { outcome: 'acknowledged' } : refusedWith(error));
  }

  /** The connection has ended: no answer will come. */
  end(): void {
    for (const settle of this.#waiting.values()) settle({ outcome: 'handed-over' });
  }
}

/** Meanings of the network's error codes in acknowledgements for the sender. */
const meanings: Readonly<Record<string, { code: string; reason: string }>> = {
  '401': { code: 'FORBIDDEN', reason: 'The network does not allow this profile to send to the chat (401).' },
  '403': { code: 'FORBIDDEN', reason: 'The profile may not write to this chat (403).' },
  '404': { code: 'RECIPIENT_UNKNOWN', reason: 'The network does not know the recipient (404).' },
  '406': { code: 'RECIPIENT_UNKNOWN', reason: 'The network does not accept the recipient (406).' },
  '463': {
    code: 'PROFILE_RESTRICTED',
    reason: 'The network has restricted the account: it may not write to people who have never written to it (463).',
  },
  '479': { code: 'ENGINE_REFUSED', reason: 'The network found the message malformed or its keys outdated (479).' },
};

/** An acknowledgement with an error. */
const refusedWith = (error: string): Extract<SendOutcome, { outcome: 'refused' }> => ({
  outcome: 'refused',
  ...(meanings[error] ?? { code: 'ENGINE_REFUSED', reason: `The network refused the message (${error}).` }),
});

const recipientUnknown: Extract<SendOutcome, { outcome: 'refused' }> = {
  outcome: 'refused',
  code: 'RECIPIENT_UNKNOWN',
  reason: 'The number is not on the network.',
};
