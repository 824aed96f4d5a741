// `npm run start:distributed [-- --replicas 2] [--simulator]`: every service a process of its own, their logs side by side.
import { outliveReaders } from '@messaging-gateway/service/beginning';
import type { Beside } from '@messaging-gateway/network-simulator';
import { sideBySide } from './lines.ts';
import { planOf, readArguments, type Planned } from './plan.ts';
import { Supervised } from './supervised.ts';

/** One Ctrl-C can arrive twice: from the terminal, and from npm. */
const sameSignalMs = 1_000;

const say = sideBySide(process.stdout);
const processes: Supervised[] = [];
let stopLast = async (): Promise<void> => undefined;
let stoppingSince: number | undefined;

async function stop(code: number): Promise<never> {
  stoppingSince = performance.now();
  say('all', 'Stopping …');
  const codes = await Promise.all(processes.map((one) => one.stop()));
  await stopLast();
  process.exit(codes.every((one) => one === 0) ? code : 1);
}

function asked(): void {
  if (stoppingSince === undefined) void stop(0);
  else if (performance.now() - stoppingSince > sameSignalMs) {
    for (const one of processes) one.kill();
    process.exit(1);
  }
}

async function begin(): Promise<void> {
  const wanted = readArguments(process.argv.slice(2), process.env);
  const simulator = wanted.simulator ? await simulated() : undefined;
  const environment = {
    ...process.env,
    ...simulator?.variables,
  };
  const planned = planOf(wanted, environment);
  if (simulator !== undefined) {
    say('simulator', `at ${simulator.variables.SOCKET_ENGINE_URL}, phones at ${simulator.page}`);
    stopLast = () => simulator.simulator.stop();
  }
  for (const one of planned) start(one);
}

/** The simulated network in this process; loaded only when it is wanted. */
async function simulated(): Promise<Beside> {
  const { startBeside } = await import('@messaging-gateway/network-simulator');
  return startBeside({ dataDirectory: process.env['DATA_DIR']?.trim() || 'data', environment: process.env });
}

function start(planned: Planned): void {
  const supervised = new Supervised({ ...planned, say });
  processes.push(supervised);
  supervised.start();
}

outliveReaders();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, asked);
try {
  await begin();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.stderr.write(
    'Services in processes of their own need PostgreSQL, RabbitMQ, Kafka and Redis: see docs/distributed.md. `npm start` needs none of them.\n',
  );
  process.exit(1);
}
