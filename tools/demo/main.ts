// `npm run demo`: the main job, step by step, on the simulated network. Ends by itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@messaging-gateway/network-simulator';
import { startGatewayProcess, startWebhookReceiver } from '@messaging-gateway/testing/running';
import { say } from './narrator.ts';
import { tellStory } from './story.ts';

const secret = 'whsec_ZGVtby1zZWNyZXQtb2YtdGhlLXdlYmhvb2s=';
const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-demo-'));
const started = Date.now();

const simulator = await startSimulator();
say('Simulated network', simulator.url);
const receiver = await startWebhookReceiver(secret);
say('Webhook receiver', receiver.url);
const gateway = await startGatewayProcess({
  DATA_DIR: directory,
  SOCKET_ENGINE_URL: simulator.url,
  SOCKET_ENGINE_ROOT_KEY: simulator.rootKey,
  SOCKET_ENGINE_CA_FILE: simulator.caFile,
  WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  LOG_LEVEL: 'warn',
});
say(
  'Gateway',
  `${gateway.host}  (embedded PostgreSQL and buses; no Docker, RabbitMQ, Kafka or Redis needed, none used)`,
);

let failed = false;
try {
  await tellStory(gateway, simulator, receiver, secret);
  say('Done', `in ${((Date.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  failed = true;
  console.error(`\nThe demo failed: ${(error as Error).message}\n${gateway.output()}`);
} finally {
  await gateway.stop();
  await receiver.stop();
  await simulator.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
