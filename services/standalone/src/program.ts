import { readAllSettings } from './config.ts';
import { startStandalone } from './standalone.ts';
import type { Standalone } from './standalone.ts';

/** How long a stop may take, milliseconds. */
const patienceMs = 28_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

let started: Promise<Standalone> | undefined;
let stopping = false;

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), patienceMs).unref();
  say('Stopping …');
  const standalone = await started?.catch(() => undefined);
  await standalone?.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());

try {
  const settings = readAllSettings(process.env);
  started = startStandalone(settings);
  const { port } = await started;
  const host = `http://localhost:${port}`;
  say(`Ready. API ${host}/api/v1   documentation ${host}/api/docs   data ${settings.standalone.dataDirectory}`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
