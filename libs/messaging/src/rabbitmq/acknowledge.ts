import type { Channel, ConsumeMessage } from 'amqplib';

/** On a channel that is gone there is nothing to acknowledge: the broker gives the message out again. */
export function acknowledge(channel: Channel, message: ConsumeMessage): void {
  try {
    channel.ack(message);
  } catch {
    // Said above.
  }
}
