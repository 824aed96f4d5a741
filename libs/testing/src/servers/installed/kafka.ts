import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@messaging-gateway/postgres';
import { kafkaAnswers } from '../probes.ts';
import { scramUsers, withSasl, type KafkaProperties } from '../secured/kafka-sasl.ts';
import type { Secured, Server } from '../server.ts';
import { kafkaArchives } from './kafka-archives.ts';
import { runProgram } from './process-server.ts';

const classes = ['-cp', join(kafkaArchives, '*')];
const small = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];

/** Kafka from its Java archives: broker and controller in one process, small, quick to notice a lost broker. */
export async function launchKafka(folder: string, secured?: Secured): Promise<Server> {
  mkdirSync(folder, { recursive: true });
  const [port, controllerPort, securePort] = [await freePort(), await freePort(), await freePort()];
  const settings = join(folder, 'server.properties');
  const plain = properties(folder, port, controllerPort);
  writeFileSync(settings, asText(secured ? withSasl(plain, folder, securePort, secured) : plain));
  format(settings, secured ? scramUsers(secured) : []);
  const address = `127.0.0.1:${port}`;
  const program = await runProgram({
    name: 'kafka',
    command: 'java',
    args: ['-Xmx256m', '-Xms256m', ...small, ...classes, 'kafka.Kafka', settings],
    folder,
    ready: kafkaAnswers([address]),
  });
  return {
    address: { url: address, ...(secured && { secureUrl: `127.0.0.1:${securePort}` }) },
    ...program,
    drop: async () => {
      await program.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function format(settings: string, users: readonly string[]): void {
  const clusterId = `t${randomBytes(16).toString('base64url').slice(1)}`;
  const done = spawnSync(
    'java',
    [
      ...small,
      ...classes,
      'kafka.tools.StorageTool',
      'format',
      '--standalone',
      '-t',
      clusterId,
      '-c',
      settings,
      ...users,
    ],
    { encoding: 'utf8', timeout: 60_000 },
  );
  if (done.status !== 0) throw new Error(`Kafka's data folder could not be made: ${done.stderr || done.stdout}`);
}

function properties(folder: string, port: number, controllerPort: number): KafkaProperties {
  const listeners = `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`;
  return {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controllerPort}`,
    listeners,
    'advertised.listeners': listeners,
    'log.dirs': join(folder, 'data'),
    ...testSettings,
  };
}

const asText = (settings: KafkaProperties): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

/** Shared with the container: one broker, and topics only when somebody makes them. */
export const testSettings = {
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
  'auto.create.topics.enable': false,
  'group.initial.rebalance.delay.ms': 0,
  // Tests wait until killed members are given up.
  'group.min.session.timeout.ms': 1000,
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'transaction.state.log.num.partitions': 4,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,
  'share.coordinator.state.topic.num.partitions': 4,
  'broker.session.timeout.ms': 2000,
  'broker.heartbeat.interval.ms': 500,
};
