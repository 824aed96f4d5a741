import { randomBytes } from 'node:crypto';
import type { Cost, Installation } from '../installation.ts';
import type { Sender } from '../load.ts';
import type { SimulatorProcess } from '../simulator-process.ts';
import { openArrivals } from './arrivals.ts';

/** Messages that contacts write, until they are at a webhook. */
export interface Receiving {
  receive(seconds: number, underWay: number): Promise<Received>;
  stop(): void;
}

export interface Received {
  readonly messagesPerSecond: number;
  readonly cpuMs: number;
  readonly postgresCpuMs: number;
}

/**
 * Subscribes a webhook of its own to what comes in. Each contact writes its next message when an earlier one has
 * arrived there.
 */
export async function openReceiving(
  installation: Installation,
  network: SimulatorProcess,
  senders: readonly Sender[],
): Promise<Receiving> {
  const arrivals = await openArrivals();
  const webhook = { url: arrivals.url, secret: 'bench secret', events: ['message.received'] };
  await installation.call('POST', '/webhooks', webhook, { credential: senders[0]?.token ?? '' });
  return {
    receive: async (seconds, underWay) => {
      const before = await installation.cost();
      const started = performance.now();
      let count = 0;
      const writeOn = async ({ contact, phone }: Sender): Promise<void> => {
        while (performance.now() < started + seconds * 1000) {
          const id = randomBytes(16).toString('hex').toUpperCase();
          const arrived = arrivals.arrival(id);
          await network.control.sendFromContact(contact, { to: phone, text: 'A message that comes in.', id });
          await arrived;
          count += 1;
        }
      };
      await Promise.all(senders.flatMap((sender) => Array.from({ length: underWay }, () => writeOn(sender))));
      const elapsed = performance.now() - started;
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const after = await installation.cost();
      const each = (part: keyof Cost): number => (after[part] - before[part]) / count;
      return {
        messagesPerSecond: (count / elapsed) * 1000,
        cpuMs: each('services') + each('postgres'),
        postgresCpuMs: each('postgres'),
      };
    },
    stop: () => arrivals.stop(),
  };
}
