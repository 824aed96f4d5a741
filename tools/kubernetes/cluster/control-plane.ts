import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@messaging-gateway/postgres';
import { builtPrograms, type ClusterProgram } from '../programs.ts';

/** etcd, API server, controllers and scheduler as processes on loopback. */
export interface ControlPlane {
  /** Of a proxy that asks for no credential. */
  readonly url: string;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const token = 'operator';
/** Of a node that no longer says that it lives; the usual 50 s are only waiting. */
const nodeGraceSeconds = 20;

/** @param folder for data, keys and logs */
export async function startControlPlane(folder: string): Promise<ControlPlane> {
  mkdirSync(folder, { recursive: true });
  const processes: ChildProcess[] = [];
  const start = (program: ClusterProgram, name: string, flags: readonly string[]): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const child = spawn(join(builtPrograms, program), flags, { cwd: folder, stdio: ['ignore', log, log] });
    closeSync(log);
    processes.unshift(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    for (const child of processes) await ended(child);
  };
  try {
    const [client, peer, api, controllers, scheduler, proxy] = await Promise.all(Array.from({ length: 6 }, freePort));
    const kubeconfig = writeCredentials(folder, `https://127.0.0.1:${api}`);
    start('etcd', 'etcd', etcdFlags(folder, `http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`));
    const server = start('kube-apiserver', 'kube-apiserver', serverFlags(folder, client as number, api as number));
    start('kubectl', 'proxy', ['--kubeconfig', kubeconfig, 'proxy', '--address=127.0.0.1', `--port=${proxy}`]);
    const url = `http://127.0.0.1:${proxy}`;
    await untilReady(url, server, join(folder, 'kube-apiserver.log'));
    const common = ['--kubeconfig', kubeconfig, '--bind-address=127.0.0.1', '--leader-elect=false'];
    start('kube-controller-manager', 'kube-controller-manager', [
      ...common,
      `--secure-port=${controllers}`,
      `--service-account-private-key-file=${join(folder, 'accounts.key')}`,
      '--node-monitor-period=2s',
      `--node-monitor-grace-period=${nodeGraceSeconds}s`,
      '--controllers=*,-ttl,-bootstrapsigner',
    ]);
    start('kube-scheduler', 'kube-scheduler', [...common, `--secure-port=${scheduler}`]);
    return { url, kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function writeCredentials(folder: string, server: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  writeFileSync(join(folder, 'tokens.csv'), `${token},operator,operator,"system:masters"\n`, { mode: 0o600 });
  const kubeconfig = join(folder, 'kubeconfig.json');
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'operator', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'operator' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(content), { mode: 0o600 });
  return kubeconfig;
}

const etcdFlags = (folder: string, client: string, peer: string): string[] => [
  `--data-dir=${join(folder, 'etcd')}`,
  '--unsafe-no-fsync',
  `--listen-client-urls=${client}`,
  `--advertise-client-urls=${client}`,
  `--listen-peer-urls=${peer}`,
  `--initial-advertise-peer-urls=${peer}`,
  `--initial-cluster=default=${peer}`,
  '--log-level=error',
];

const serverFlags = (folder: string, etcd: number, port: number): string[] => [
  `--etcd-servers=http://127.0.0.1:${etcd}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  '--endpoint-reconciler-type=none',
  `--secure-port=${port}`,
  `--cert-dir=${join(folder, 'certificates')}`,
  '--service-cluster-ip-range=10.0.0.0/24',
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${join(folder, 'accounts.key')}`,
  `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
  `--token-auth-file=${join(folder, 'tokens.csv')}`,
  '--authorization-mode=RBAC',
];

async function untilReady(url: string, server: ChildProcess, log: string): Promise<void> {
  while (server.exitCode === null && server.signalCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(200);
  }
  throw new Error(`The API server ended:\n${readFileSync(log, 'utf8').slice(-4000)}`);
}

/** Data are thrown away: nothing is stopped in order. */
function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
