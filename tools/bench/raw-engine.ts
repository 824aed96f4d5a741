// A child process: the engine's library alone, keys in memory, a send resolved when it is written.
// Arguments: the simulator's address, root key and control address, sockets, seconds, sends in flight on each socket.
// Prints one JSON line.
import { setImmediate as turn } from 'node:timers/promises';
import { simulatorControl } from '@messaging-gateway/network-simulator';
import { linked } from '../../infra/network-simulator/src/testing/client.ts';
import type { RawResult } from './results.ts';
import { percentile } from './percentile.ts';

const [url = '', rootKey = '', control = '', clientCount = '1', seconds = '5', inFlight = '1'] = process.argv.slice(2);
const network = { ...simulatorControl(control), url, rootKey };
const clients = await Promise.all(
  Array.from({ length: Number(clientCount) }, async (_, index) => {
    const phone = `4920${String(index).padStart(7, '0')}`;
    await network.createPhone({ phone });
    return linked(network, phone);
  }),
);

const recipient = (index: number): string => `4921${String(index).padStart(7, '0')}@s.whatsapp.net`;
for (const [index, { socket }] of clients.entries()) await socket.sendMessage(recipient(index), { text: 'warm' });

/** Every socket sends as fast as it can, so many at once. @returns the latencies, milliseconds */
async function flood(): Promise<number[]> {
  const taken: number[] = [];
  const until = performance.now() + Number(seconds) * 1000;
  const sendOn = async (socket: (typeof clients)[number]['socket'], to: string): Promise<void> => {
    while (performance.now() < until) {
      const begun = performance.now();
      await socket.sendMessage(to, { text: 'A message of the usual length, about sixty characters long.' });
      taken.push(performance.now() - begun);
      // Without a turn of the event loop now and then the library does not read, and gives its connection up.
      if (taken.length % 50 === 0) await turn();
    }
  };
  await Promise.all(
    clients.flatMap(({ socket }, index) =>
      Array.from({ length: Number(inFlight) }, () => sendOn(socket, recipient(index))),
    ),
  );
  return taken;
}

await flood();
const cpuBefore = process.cpuUsage();
const started = performance.now();
const latencies = await flood();
const elapsed = performance.now() - started;
const cpu = process.cpuUsage(cpuBefore);
const result: RawResult = {
  sendsPerSecond: (latencies.length / elapsed) * 1000,
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
  cpuMsPerSend: (cpu.user + cpu.system) / 1000 / latencies.length,
  residentMiB: process.memoryUsage.rss() / 2 ** 20,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
