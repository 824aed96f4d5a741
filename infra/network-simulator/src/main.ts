import { startSimulator } from './index.ts';

const DEFAULT_PORT = 3900;
const { SIMULATOR_PORT: port = DEFAULT_PORT, SIMULATOR_HOST: host = '127.0.0.1', SIMULATOR_SEED: seed } = process.env;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const simulator = await startSimulator({
  port: Number(port),
  host,
  log: (line) => say(JSON.stringify(line)),
  ...(seed === undefined ? {} : { seed }),
});

say(`SOCKET_ENGINE_URL=${simulator.url} SOCKET_ENGINE_ROOT_KEY=${simulator.rootKey}`);
say(
  `Control: ${simulator.control}/control (to link: POST /phones/4915112345678/scan {"qr"} or /pairing-code {"code"})`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop());
