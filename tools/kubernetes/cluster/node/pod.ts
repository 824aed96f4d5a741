import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesApi, KubernetesObject } from '../api.ts';
import { Container, type ContainerSpec } from './container.ts';
import { PodContents } from './contents.ts';
import type { Image } from './image.ts';
import { probe } from './probing.ts';
import { PodStatus } from './status.ts';

/** Parts that all pods of a machine share. */
export interface PodGround {
  readonly api: KubernetesApi;
  readonly images: Readonly<Record<string, Image>>;
  /** Work folder: bundles, volumes, `logs/<pod>_<container>.log`. */
  readonly folder: string;
  readonly hosts: string;
  readonly log: (line: string) => void;
}

/** How soon what cannot be made yet is tried again, milliseconds. */
const againMs = 1000;
/** Longest wait of a container that ends again and again, milliseconds. */
const longestBackOffMs = 20_000;
/** The end of a log, as the kubelet takes it for a message. */
const lastWords = (file: string): string => readFileSync(file, 'utf8').slice(-2048);

/** A pod that was bound to a node of this machine: its containers, from the first to the last. */
export class Pod {
  readonly name: string;
  readonly node: string;
  readonly #ground: PodGround;
  readonly #status: PodStatus;
  readonly #contents: PodContents;
  readonly #folder: string;
  readonly #running = new Map<string, Container>();
  #object: KubernetesObject;
  #isEnding = false;
  #isLost = false;

  constructor(ground: PodGround, object: KubernetesObject, address: string) {
    this.#ground = ground;
    this.#object = object;
    this.name = object.metadata.name;
    this.node = object.spec.nodeName;
    this.#folder = join(ground.folder, 'pods', object.metadata.uid);
    this.#status = new PodStatus(ground.api, object, address);
    this.#contents = new PodContents(ground.api, object, address);
    this.#run().catch((error: unknown) => ground.log(`${this.name}: ${String(error)}`));
  }

  /** The API server has it otherwise now. */
  update(object: KubernetesObject): void {
    this.#object = object;
    if (object.metadata.deletionTimestamp === undefined || this.#isEnding || this.#isLost) return;
    this.#isEnding = true;
    this.#end(object.metadata.deletionGracePeriodSeconds ?? 30).catch((error: unknown) =>
      this.#ground.log(`${this.name}: ${String(error)}`),
    );
  }

  /** Its machine loses its power: nothing runs, nothing is told. */
  async lose(): Promise<void> {
    this.#isLost = true;
    this.#status.silence();
    await Promise.all([...this.#running.values()].map((container) => container.signal('KILL')));
  }

  get #specs(): readonly ContainerSpec[] {
    return this.#object.spec.containers;
  }

  get #isOver(): boolean {
    return this.#isEnding || this.#isLost;
  }

  async #run(): Promise<void> {
    await this.#status.tell();
    const volumes = await this.#patiently(() => this.#contents.volumes(join(this.#folder, 'volumes')));
    if (volumes === undefined) return;
    this.#status.phase = 'Running';
    const codes = await Promise.all(this.#specs.map((spec) => this.#keep(spec, volumes)));
    if (this.#isOver) return;
    this.#status.phase = codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
    await this.#status.tell();
  }

  /** Starts a container, and again, as the pod wants it. @returns its last exit code */
  async #keep(spec: ContainerSpec, volumes: Readonly<Record<string, string>>): Promise<number> {
    for (let failures = 0; ; failures += 1) {
      const begun = Date.now();
      const code = await this.#once(spec, volumes, failures);
      const policy = this.#object.spec.restartPolicy;
      if (this.#isOver || policy === 'Never' || (policy === 'OnFailure' && code === 0)) return code;
      if (Date.now() - begun > 60_000) failures = 0;
      this.#status.restarted(spec.name);
      this.#ground.log(`${this.name}: ${spec.name} ended with ${code}, and is started again`);
      await sleep(Math.min(1000 * 2 ** failures, longestBackOffMs));
    }
  }

  async #once(spec: ContainerSpec, volumes: Readonly<Record<string, string>>, attempt: number): Promise<number> {
    const plan = await this.#patiently(async () => {
      const image = this.#ground.images[spec.image];
      if (image === undefined) throw new Error(`ErrImageNeverPull: there is no ${spec.image}`);
      return { image, environment: await this.#contents.environment(spec, image) };
    }, spec);
    if (plan === undefined) return 137;
    const logFile = join(this.#ground.folder, 'logs', `${this.name}_${spec.name}.log`);
    const container = new Container({
      ...plan,
      spec,
      volumes,
      id: `${this.#object.metadata.uid}-${spec.name}-${attempt}`,
      hostname: this.name,
      podSecurity: this.#object.spec.securityContext ?? {},
      folder: join(this.#folder, `${spec.name}-${attempt}`),
      state: join(this.#ground.folder, 'state'),
      logFile,
      hosts: this.#ground.hosts,
    });
    this.#running.set(spec.name, container);
    const watching = new AbortController();
    await this.#status.runs(spec.name);
    void this.#probe(spec, container, watching.signal);
    const code = await container.ended;
    watching.abort();
    this.#running.delete(spec.name);
    const isAsked = code !== 0 && spec.terminationMessagePolicy === 'FallbackToLogsOnError';
    await this.#status.ended(spec.name, code, isAsked ? lastWords(logFile) : undefined);
    return code;
  }

  #probe(spec: ContainerSpec, container: Container, signal: AbortSignal): Promise<void> {
    return probe(spec, this.#status.address, signal, {
      started: () => void this.#status.started(spec.name),
      ready: (ready) => void this.#status.isReady(spec.name, ready),
      failed: (which) => {
        this.#ground.log(`${this.name}: ${spec.name} is killed, its ${which} probe has failed`);
        void this.#stop(spec, container, this.#object.spec.terminationGracePeriodSeconds ?? 30);
      },
    });
  }

  /** Again and again while what it needs is not there. @returns undefined when the pod is over meanwhile */
  async #patiently<T>(make: () => Promise<T>, spec?: ContainerSpec): Promise<T | undefined> {
    while (!this.#isOver) {
      try {
        return await make();
      } catch (error) {
        await this.#status.waits(spec?.name, (error as Error).message);
        await sleep(againMs);
      }
    }
    return undefined;
  }

  async #end(grace: number): Promise<void> {
    await this.#status.tell();
    await Promise.all(
      this.#specs.map(async (spec) => {
        const container = this.#running.get(spec.name);
        if (container !== undefined) await this.#stop(spec, container, grace);
      }),
    );
    if (this.#isLost) return;
    const { namespace, name, uid } = this.#object.metadata;
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid } };
    await this.#ground.api.remove(`/api/v1/namespaces/${namespace}/pods/${name}`, options);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #stop({ name, lifecycle }: ContainerSpec, container: Container, grace: number): Promise<void> {
    const until = Date.now() + grace * 1000;
    const before = Math.min(lifecycle?.preStop?.sleep?.seconds ?? 0, grace) * 1000;
    await Promise.race([container.ended, sleep(before)]);
    const asked = Date.now();
    await container.signal('TERM');
    const isLate = new AbortController();
    const late = sleep(Math.max(0, until - Date.now()), undefined, { signal: isLate.signal }).then(
      () => container.signal('KILL'),
      () => undefined,
    );
    const code = await container.ended;
    isLate.abort();
    await late;
    this.#ground.log(`${this.name}: ${name} ended with ${code} ${Date.now() - asked} ms after SIGTERM`);
  }
}
