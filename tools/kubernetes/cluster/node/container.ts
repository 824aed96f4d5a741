import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Image } from './image.ts';

/** Of a pod's specification: one container of it. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly securityContext?: Security;
  readonly resources?: { readonly limits?: { readonly memory?: string } };
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly unknown[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: Reference;
    readonly configMapKeyRef?: Reference;
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

interface Reference {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface Probe {
  readonly httpGet: { readonly path?: string; readonly port: number | string };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
}

interface Security {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly fsGroup?: number;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
}

export interface ContainerPlan {
  readonly id: string;
  readonly hostname: string;
  readonly spec: ContainerSpec;
  readonly podSecurity: Security;
  readonly image: Image;
  readonly environment: Readonly<Record<string, string>>;
  /** Folders of the pod's volumes by name. */
  readonly volumes: Readonly<Record<string, string>>;
  /** For its bundle. */
  readonly folder: string;
  /** Of runc, one for all containers. */
  readonly state: string;
  readonly logFile: string;
  /** `/etc/hosts` of all containers. */
  readonly hosts: string;
}

/** A container of runc on the network of the machine: no privileges, its own processes and files. */
export class Container {
  readonly id: string;
  /** Resolves with the exit code; 137: it was killed. */
  readonly ended: Promise<number>;
  readonly #runc: ChildProcess;
  readonly #state: string;

  /** @throws Error when its specification asks for what must not be */
  constructor(plan: ContainerPlan) {
    this.id = plan.id;
    this.#state = plan.state;
    mkdirSync(plan.folder, { recursive: true });
    writeFileSync(join(plan.folder, 'config.json'), JSON.stringify(bundleOf(plan)));
    const log = openSync(plan.logFile, 'a');
    const how = ['--root', plan.state, 'run', '--bundle', plan.folder, plan.id];
    this.#runc = spawn('runc', how, { stdio: ['ignore', log, log] });
    closeSync(log);
    this.ended = new Promise((resolve) => {
      this.#runc.on('error', () => resolve(128));
      this.#runc.on('close', (code) => resolve(code ?? 137));
    });
  }

  /** A signal to its process 1; asked again while the container is only being made. */
  async signal(name: 'TERM' | 'KILL'): Promise<void> {
    while (this.#runc.exitCode === null && this.#runc.signalCode === null) {
      if ((await runc(this.#state, 'kill', this.id, name)) === 0) return;
      await sleep(50);
    }
  }
}

const runc = (state: string, ...words: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    execFile('runc', ['--root', state, ...words], (error) => resolve(error === null ? 0 : 1));
  });

function bundleOf({ spec, image, podSecurity, environment, volumes, hostname, id, hosts }: ContainerPlan): object {
  const own = spec.securityContext ?? {};
  const uid = own.runAsUser ?? podSecurity.runAsUser ?? image.user;
  const gid = own.runAsGroup ?? podSecurity.runAsGroup ?? image.user;
  if ((own.runAsNonRoot ?? podSecurity.runAsNonRoot) === true && uid === 0)
    throw new Error('container has runAsNonRoot and image will run as root');
  const command = spec.args ?? (spec.command === undefined ? image.command : []);
  const memory = bytesOf(spec.resources?.limits?.memory);
  return {
    ociVersion: '1.0.2',
    hostname: hostname.slice(0, 63),
    process: {
      terminal: false,
      user: { uid, gid, additionalGids: podSecurity.fsGroup === undefined ? [] : [podSecurity.fsGroup] },
      args: [...(spec.command ?? image.entrypoint), ...command],
      env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      cwd: spec.workingDir ?? image.workdir,
      capabilities: {},
      noNewPrivileges: own.allowPrivilegeEscalation === false,
    },
    root: { path: image.root, readonly: own.readOnlyRootFilesystem === true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'strictatime', 'mode=755'] },
      { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: ['nosuid', 'noexec', 'nodev', 'mode=1777'] },
      ...(spec.volumeMounts ?? []).map(({ name, mountPath, readOnly }) =>
        mount(volumes[name] ?? '', mountPath, readOnly !== true),
      ),
      // Last: a checkout may lie where a volume is mounted, as in /tmp.
      ...image.folders.map(([source, target]) => mount(source, target, image.writable.includes(target))),
      mount(hosts, '/etc/hosts', false),
    ],
    linux: {
      // One of its own at the top: below another all containers together would weigh as much as one process of the machine.
      cgroupsPath: `/messaging-gateway-${id}`,
      namespaces: [{ type: 'pid' }, { type: 'ipc' }, { type: 'uts' }, { type: 'mount' }],
      resources: memory === undefined ? {} : { memory: { limit: memory } },
      maskedPaths: ['/proc/kcore'],
      readonlyPaths: ['/proc/sys'],
    },
  };
}

const mount = (source: string, destination: string, writable: boolean): object => ({
  source,
  destination,
  type: 'bind',
  options: ['rbind', 'rprivate', writable ? 'rw' : 'ro'],
});

const units: Readonly<Record<string, number>> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, k: 1e3, M: 1e6, G: 1e9 };

function bytesOf(quantity: string | undefined): number | undefined {
  if (quantity === undefined) return undefined;
  return Number.parseFloat(quantity) * (units[/[A-Za-z]+$/.exec(quantity)?.[0] ?? ''] ?? 1);
}
