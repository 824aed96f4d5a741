import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@messaging-gateway/postgres';
import { rabbitMqAnswers } from '../probes.ts';
import { tlsFiles } from '../secured/tls-files.ts';
import type { Secured, Server } from '../server.ts';
import { runProgram } from './process-server.ts';

const packaged = '/usr/lib/rabbitmq/lib';

/** The server's own start script (`TEST_RABBITMQ_SERVER` names another): the wrapper in /usr/sbin forces user and paths. */
export function findRabbitMq(): string | undefined {
  const given = process.env['TEST_RABBITMQ_SERVER'];
  if (given !== undefined) return given;
  const versions = existsSync(packaged) ? readdirSync(packaged).sort().reverse() : [];
  return [
    ...versions.map((version) => join(packaged, version, 'sbin')),
    '/opt/rabbitmq/sbin',
    '/opt/homebrew/opt/rabbitmq/sbin',
    '/usr/local/opt/rabbitmq/sbin',
  ]
    .map((folder) => join(folder, 'rabbitmq-server'))
    .find((script) => existsSync(script));
}

/** Nodes that find each other: they share an `epmd` and a cookie. */
export interface RabbitMqCluster {
  readonly epmdPort: number;
  readonly cookie: string;
  /** URL of the node to join; the first one has none, and starts the `epmd`. */
  readonly first?: string;
}

/**
 * RabbitMQ from the system's packages, with its management interface, all files below one folder.
 * It gets an `epmd` (Erlang's port mapper) of its own: one that the server starts itself outlives it.
 */
export async function launchRabbitMq(folder: string, secured?: Secured, cluster?: RabbitMqCluster): Promise<Server> {
  const script = findRabbitMq();
  if (script === undefined) throw new Error('RabbitMQ is not installed.');
  mkdirSync(folder, { recursive: true });
  const [port, tlsPort, managementPort, distributionPort, epmdPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    cluster?.epmdPort ?? (await freePort()),
  ];
  const more = [...(secured ? tls(folder, tlsPort, secured) : []), ...joining(port, cluster)];
  writeConfiguration(folder, port, managementPort, more);
  if (cluster !== undefined) writeFileSync(join(folder, '.erlang.cookie'), cluster.cookie, { mode: 0o400 });
  const credentials = secured ? `${secured.user}:${secured.password}` : 'guest:guest';
  const management = `http://${credentials}@127.0.0.1:${managementPort}`;
  const epmd = cluster?.first === undefined ? await launchEpmd(folder, epmdPort) : undefined;
  const drop = async (): Promise<void> => {
    await epmd?.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const program = await runProgram({
      name: 'rabbitmq',
      command: script,
      args: [],
      folder,
      environment: environment(folder, port, distributionPort, epmdPort),
      ready: rabbitMqAnswers(management, port),
    });
    return {
      address: {
        url: `amqp://${credentials}@127.0.0.1:${port}`,
        management,
        ...(secured && { secureUrl: `amqps://${credentials}@127.0.0.1:${tlsPort}` }),
      },
      ...program,
      drop: async () => {
        await program.kill();
        await drop();
      },
    };
  } catch (error) {
    await drop();
    throw error;
  }
}

const launchEpmd = (folder: string, port: number) =>
  runProgram({
    name: 'epmd',
    command: 'epmd',
    args: ['-port', String(port), '-address', '127.0.0.1'],
    folder,
    ready: () => Promise.resolve(true),
  });

const nodeName = (port: number | string): string => `test-${port}@localhost`;

const joining = (port: number, cluster: RabbitMqCluster | undefined): readonly string[] =>
  cluster?.first === undefined
    ? []
    : [
        'cluster_formation.peer_discovery_backend = classic_config',
        `cluster_formation.classic_config.nodes.1 = ${nodeName(new URL(cluster.first).port)}`,
        `cluster_formation.classic_config.nodes.2 = ${nodeName(port)}`,
      ];

function tls(folder: string, port: number, secured: Secured): readonly string[] {
  const { key, certificate, authority } = tlsFiles(folder, secured);
  return [
    `listeners.ssl.local = 127.0.0.1:${port}`,
    `ssl_options.cacertfile = ${authority}`,
    `ssl_options.certfile = ${certificate}`,
    `ssl_options.keyfile = ${key}`,
    'ssl_options.verify = verify_none',
    `default_user = ${secured.user}`,
    `default_pass = ${secured.password}`,
  ];
}

function writeConfiguration(folder: string, port: number, managementPort: number, more: readonly string[]): void {
  writeFileSync(join(folder, 'enabled_plugins'), '[rabbitmq_management].\n');
  writeFileSync(join(folder, 'environment.conf'), '');
  writeFileSync(
    join(folder, 'rabbitmq.conf'),
    [
      `listeners.tcp.local = 127.0.0.1:${port}`,
      'management.tcp.ip = 127.0.0.1',
      `management.tcp.port = ${managementPort}`,
      'log.console = true',
      'log.console.level = warning',
      'log.file = false',
      ...more,
      '',
    ].join('\n'),
  );
}

const environment = (folder: string, port: number, distributionPort: number, epmdPort: number) => ({
  RABBITMQ_NODENAME: nodeName(port),
  RABBITMQ_MNESIA_BASE: join(folder, 'data'),
  RABBITMQ_LOG_BASE: join(folder, 'log'),
  RABBITMQ_LOGS: '-',
  RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq'),
  RABBITMQ_CONF_ENV_FILE: join(folder, 'environment.conf'),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
  RABBITMQ_GENERATED_CONFIG_DIR: join(folder, 'generated'),
  RABBITMQ_SCHEMA_DIR: join(folder, 'schema'),
  RABBITMQ_PID_FILE: join(folder, 'rabbitmq.pid'),
  RABBITMQ_DIST_PORT: String(distributionPort),
  ERL_EPMD_ADDRESS: '127.0.0.1',
  ERL_EPMD_PORT: String(epmdPort),
});
