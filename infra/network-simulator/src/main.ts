import { startSimulator } from './index.ts';

const DEFAULT_PORT = 3900;

const simulator = await startSimulator({
  port: Number(process.env['SIMULATOR_PORT'] ?? DEFAULT_PORT),
  ...(process.env['SIMULATOR_HOST'] === undefined ? {} : { host: process.env['SIMULATOR_HOST'] }),
  ...(process.env['SIMULATOR_SEED'] === undefined ? {} : { seed: process.env['SIMULATOR_SEED'] }),
  log: (line) => console.log(JSON.stringify(line)),
});

console.log(`SOCKET_ENGINE_URL=${simulator.url} SOCKET_ENGINE_ROOT_KEY=${simulator.rootKey}`);
console.log(`Scan a QR code: curl -X POST ${simulator.control}/control/phones/4915112345678/scan -d '{"qr":"..."}'`);
console.log(`Enter a pairing code: curl -X POST ${simulator.control}/control/phones/4915112345678/pairing-code -d '{"code":"..."}'`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop());
