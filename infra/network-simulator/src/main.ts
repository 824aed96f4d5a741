import { startSimulator } from './index.ts';

const DEFAULT_PORT = 3900;
const {
  SIMULATOR_PORT: port = DEFAULT_PORT,
  SIMULATOR_MEDIA_PORT: mediaPort = port === '0' ? 0 : Number(port) + 1,
  SIMULATOR_HOST: host = '127.0.0.1',
  SIMULATOR_NAME: name = host,
  SIMULATOR_SEED: seed,
  SIMULATOR_CA_FILE: caFile,
} = process.env;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const simulator = await startSimulator({
  port: Number(port),
  mediaPort: Number(mediaPort),
  host,
  name,
  log: (line) => say(JSON.stringify(line)),
  ...(seed === undefined ? {} : { seed }),
  ...(caFile === undefined ? {} : { caFile }),
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop());

const { url, rootKey } = simulator;
say(`SOCKET_ENGINE_URL=${url} SOCKET_ENGINE_ROOT_KEY=${rootKey} SOCKET_ENGINE_CA_FILE=${simulator.caFile}`);
say(`Phones: ${simulator.control}/`);
say(
  `Control: ${simulator.control}/control (to link: POST /phones/4915112345678/scan {"qr"} or /pairing-code {"code"})`,
);
