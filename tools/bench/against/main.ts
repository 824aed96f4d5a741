// This version against another one, in one process each, on one simulated network: both are warm and idle while the
// other is measured, in turns, so that what else the machine does falls on both. Of each figure the median of all turns.
// BENCH_PROFILES (10), BENCH_CLIENTS (4: requests in flight for each profile), BENCH_SECONDS (6), BENCH_TURNS (4).
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { flood, linkSenders, pace, registerOwner, type Sender } from '../load.ts';
import { libraryAlone } from '../library-alone.ts';
import { percentile } from '../percentile.ts';
import { startSimulatorProcess } from '../simulator-process.ts';
import { installStandalone, type Standalone } from '../standalone.ts';
import { openReceiving, type Receiving } from './receiving.ts';
import { comparison, type Figures } from './report.ts';
import { checkedOut, shortName } from './version.ts';

const { against: commit = '' } = parseArgs({ options: { against: { type: 'string' } } }).values;
const profiles = Number(process.env['BENCH_PROFILES'] ?? 10);
const clients = Number(process.env['BENCH_CLIENTS'] ?? 4);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 6);
const turns = Number(process.env['BENCH_TURNS'] ?? 4);
const pacedRate = 100;

interface Subject {
  readonly name: string;
  readonly installation: Standalone;
  readonly senders: readonly Sender[];
  readonly receiving: Receiving;
  readonly taken: Figures[];
}

const name = shortName(commit);
const version = checkedOut(commit);
if (version.otherPackages) console.log(`${name} names other packages: it runs on those that are installed here.`);
const network = await startSimulatorProcess();
const running: Standalone[] = [];
// Also when a measurement fails: nothing is left running.
process.on('exit', () => {
  network.stop();
  for (const installation of running) installation.abandon();
  version.remove();
});
await network.control.configureNetwork({ decrypt: 'lazy' });

async function install(of: string, folder?: string): Promise<Subject> {
  const installation = await installStandalone(network, undefined, folder);
  running.push(installation);
  const senders = await linkSenders(installation, network, await registerOwner(installation), profiles);
  const receiving = await openReceiving(installation, network, senders);
  return { name: of, installation, senders, receiving, taken: [] };
}

async function measure({ installation, senders, receiving }: Subject): Promise<Figures> {
  const { sendsPerSecond, cpuMsPerSend, postgresCpuMsPerSend } = await flood(installation, senders, seconds, clients);
  const paced = await pace(installation.host, senders, pacedRate, seconds);
  const received = await receiving.receive(seconds, clients);
  return {
    sendsPerSecond,
    cpuMsPerSend,
    servicesCpuMsPerSend: cpuMsPerSend - postgresCpuMsPerSend,
    postgresCpuMsPerSend,
    pacedP50: percentile(paced, 0.5),
    receivedPerSecond: received.messagesPerSecond,
    cpuMsPerReceived: received.cpuMs,
    postgresCpuMsPerReceived: received.postgresCpuMs,
  };
}

const [before, after] = [await install(name, version.folder), await install('this version')];
for (const subject of [before, after]) await measure(subject);
const alone = await libraryAlone(network, profiles, 1, seconds);
const saturated = await libraryAlone(network, profiles, clients, seconds);
for (let turn = 0; turn < turns; turn += 1) {
  for (const subject of turn % 2 === 0 ? [before, after] : [after, before]) subject.taken.push(await measure(subject));
}
for (const { installation, receiving } of [before, after]) {
  receiving.stop();
  await installation.end();
}
running.length = 0;

const at = new Date().toISOString();
const results = { at, node: process.version, commit, profiles, clients, alone, saturated };
mkdirSync('bench-results', { recursive: true });
const file = `bench-results/against-${at.replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify({ ...results, before: before.taken, after: after.taken }, undefined, 2)}\n`);
console.log(`${comparison({ ...results, name, before: before.taken, after: after.taken })}\n\nWritten to ${file}`);
process.exit(0);
