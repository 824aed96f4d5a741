import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesApi, KubernetesObject } from '../api.ts';
import { nodeAddress, toldAddress } from './addresses.ts';
import type { Image } from './image.ts';
import { Pod, type PodGround } from './pod.ts';
import { routeServices } from './service-routes.ts';

export interface NodeName {
  readonly name: string;
  readonly zone: string;
}

export interface AgentOptions {
  readonly api: KubernetesApi;
  readonly nodes: readonly NodeName[];
  readonly images: Readonly<Record<string, Image>>;
  /** For bundles, volumes and logs. */
  readonly folder: string;
}

/** Runs the pods that the scheduler binds to its nodes, all of them on this machine. */
export interface NodeAgent {
  /** Its containers are killed, and it says nothing any more. */
  killNode(name: string): Promise<void>;
  stop(): Promise<void>;
}

const renewMs = 3000;
const now = (): string => new Date().toISOString();

export async function startNodeAgent({ api, nodes, images, folder }: AgentOptions): Promise<NodeAgent> {
  for (const name of ['logs', 'state', 'pods']) mkdirSync(join(folder, name), { recursive: true });
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, '127.0.0.1 localhost\n');
  const ending = new AbortController();
  const lost = new Set<string>();
  const pods = new Map<string, Pod>();
  const log = (line: string): void => void process.stdout.write(`${now()} ${line}\n`);
  const ground: PodGround = { api, images, folder, hosts, log };
  let count = 0;
  for (const node of nodes) await register(api, node);
  const living = (): NodeName[] => nodes.filter(({ name }) => !lost.has(name));
  const take = (all: readonly KubernetesObject[]): void => {
    const here = new Map(all.map((pod) => [pod.metadata.uid, pod]));
    for (const uid of pods.keys()) if (!here.has(uid)) forget(pods, uid);
    for (const [uid, object] of here) {
      if (!living().some(({ name }) => name === object.spec.nodeName)) continue;
      const known = pods.get(uid);
      if (known === undefined && isOver(object)) continue;
      const pod = known ?? new Pod(ground, object, toldAddress((count += 1)));
      pods.set(uid, pod);
      pod.update(object);
    }
  };
  const work = [
    api.follow('/api/v1/pods', ending.signal, take),
    routeServices({ api, hosts, signal: ending.signal }),
    ...nodes.map(({ name }) => renew(api, name, ending.signal, () => !lost.has(name))),
  ];
  return {
    killNode: async (name) => {
      lost.add(name);
      await Promise.all([...pods.values()].filter(({ node }) => node === name).map((pod) => pod.lose()));
    },
    stop: async () => {
      ending.abort();
      await Promise.all([...pods.values()].map((pod) => pod.lose()));
      await Promise.allSettled(work);
    },
  };
}

const isOver = ({ status }: KubernetesObject): boolean => ['Succeeded', 'Failed'].includes(status?.phase);

/** Its object is gone already, as after a removal by force. */
function forget(pods: Map<string, Pod>, uid: string): void {
  void pods.get(uid)?.lose();
  pods.delete(uid);
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const renewTime = (): string => now().replace('Z', '000Z');

async function register(api: KubernetesApi, { name, zone }: NodeName): Promise<void> {
  const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone, 'kubernetes.io/os': 'linux' };
  await api.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
  await api.create(leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: renewTime() },
  });
}

async function renew(api: KubernetesApi, name: string, signal: AbortSignal, lives: () => boolean): Promise<void> {
  for (let turn = 0; !signal.aborted && lives(); turn += 1) {
    await api.merge(`${leases}/${name}`, { spec: { renewTime: renewTime() } }).catch(() => undefined);
    if (turn % 10 === 0)
      await api.merge(`/api/v1/nodes/${name}/status`, { status: nodeStatus() }).catch(() => undefined);
    await sleep(renewMs, undefined, { signal }).catch(() => undefined);
  }
}

function nodeStatus(): object {
  const room = { cpu: '8', memory: '16Gi', pods: '100' };
  const time = now().replace(/\.\d+Z/, 'Z');
  return {
    capacity: room,
    allocatable: room,
    addresses: [{ type: 'InternalIP', address: nodeAddress }],
    conditions: [
      { type: 'Ready', status: 'True', reason: 'AgentReady', lastHeartbeatTime: time, lastTransitionTime: time },
    ],
  };
}
