import type { KubernetesApi, KubernetesObject } from '../api.ts';
import { nodeAddress } from './addresses.ts';

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly lastTransitionTime: string;
}

const now = (): string => new Date().toISOString().replace(/\.\d+Z/, 'Z');

/** Status of a pod, as the API server is told it. */
export class PodStatus {
  readonly address: string;
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' = 'Pending';
  readonly #api: KubernetesApi;
  readonly #pod: KubernetesObject;
  readonly #since = now();
  readonly #states = new Map<string, object>();
  readonly #started = new Set<string>();
  readonly #ready = new Set<string>();
  readonly #restarts = new Map<string, number>();
  #conditions: readonly Condition[] = [];
  #telling: Promise<void> = Promise.resolve();
  #isSilent = false;

  constructor(api: KubernetesApi, pod: KubernetesObject, address: string) {
    this.#api = api;
    this.#pod = pod;
    this.address = address;
  }

  /** From now on nothing is told. */
  silence(): void {
    this.#isSilent = true;
  }

  waits(container: string | undefined, message: string): Promise<void> {
    const names = container === undefined ? this.#names() : [container];
    const reason = /key|not found/.test(message) ? 'CreateContainerConfigError' : 'ContainerCreating';
    for (const name of names) this.#states.set(name, { waiting: { reason, message } });
    return this.tell();
  }

  runs(container: string): Promise<void> {
    this.#states.set(container, { running: { startedAt: now() } });
    return this.tell();
  }

  started(container: string): Promise<void> {
    this.#started.add(container);
    return this.tell();
  }

  async isReady(container: string, ready: boolean): Promise<void> {
    if (this.#ready.has(container) === ready) return;
    if (ready) this.#ready.add(container);
    else this.#ready.delete(container);
    await this.tell();
  }

  restarted(container: string): void {
    this.#restarts.set(container, (this.#restarts.get(container) ?? 0) + 1);
  }

  /** @param message what it said last, when it failed and is to be asked for that */
  async ended(container: string, exitCode: number, message?: string): Promise<void> {
    this.#started.delete(container);
    this.#ready.delete(container);
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    const terminated = { exitCode, reason, startedAt: this.#since, finishedAt: now(), ...(message && { message }) };
    this.#states.set(container, { terminated });
    await this.tell();
  }

  /** One after the other; what could not be told is told with the next change. */
  tell(): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tell()).catch(() => undefined);
    return this.#telling;
  }

  #names(): string[] {
    return this.#pod.spec.containers.map(({ name }: { name: string }) => name);
  }

  async #tell(): Promise<void> {
    if (this.#isSilent) return;
    const isReady = this.#names().every((name) => this.#ready.has(name));
    this.#conditions = [
      this.#condition('PodReadyToStartContainers', true),
      this.#condition('Initialized', true),
      this.#condition('ContainersReady', isReady),
      this.#condition('Ready', isReady),
      this.#condition('PodScheduled', true),
    ];
    const { name, namespace, uid } = this.#pod.metadata;
    const status = {
      phase: this.phase,
      conditions: this.#conditions,
      hostIP: nodeAddress,
      hostIPs: [{ ip: nodeAddress }],
      podIP: this.address,
      podIPs: [{ ip: this.address }],
      startTime: this.#since,
      containerStatuses: this.#pod.spec.containers.map((spec: { name: string; image: string }) => this.#of(spec)),
    };
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
    await this.#api.merge(path, { metadata: { uid }, status });
  }

  #of({ name, image }: { name: string; image: string }): object {
    return {
      name,
      image,
      imageID: image,
      ready: this.#ready.has(name),
      started: this.#started.has(name),
      restartCount: this.#restarts.get(name) ?? 0,
      state: this.#states.get(name) ?? { waiting: { reason: 'ContainerCreating' } },
    };
  }

  #condition(type: string, holds: boolean): Condition {
    const status = holds ? 'True' : 'False';
    const before = this.#conditions.find((one) => one.type === type);
    return before?.status === status ? before : { type, status, lastTransitionTime: now() };
  }
}
