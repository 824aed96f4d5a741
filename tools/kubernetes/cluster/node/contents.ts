import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type KubernetesApi, type KubernetesObject } from '../api.ts';
import { boundAddress, nodeAddress } from './addresses.ts';
import type { ContainerSpec, Variable } from './container.ts';
import type { Image } from './image.ts';

/** Variables and volumes of a pod's containers, from Secrets, ConfigMaps and the pod itself. */
export class PodContents {
  readonly #api: KubernetesApi;
  readonly #pod: KubernetesObject;
  readonly #address: string;

  constructor(api: KubernetesApi, pod: KubernetesObject, address: string) {
    this.#api = api;
    this.#pod = pod;
    this.#address = address;
  }

  /** @throws Error that names what is not there (yet) */
  async environment({ env = [], envFrom = [] }: ContainerSpec, image: Image): Promise<Record<string, string>> {
    if (envFrom.length > 0) throw new Error('envFrom is not known here');
    const environment: Record<string, string> = { ...image.environment };
    for (const variable of env) {
      const value = await this.#valueOf(variable);
      if (value !== undefined) environment[variable.name] = value;
    }
    // All pods share the machine's addresses: each listens on its own.
    const host = boundAddress(this.#address);
    return { ...environment, HEALTH_HOST: host, API_HOST: host, SIMULATOR_HOST: host };
  }

  async #valueOf({ value = '', valueFrom }: Variable): Promise<string | undefined> {
    if (valueFrom === undefined) return value;
    const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom;
    if (fieldRef !== undefined) return this.#field(fieldRef.fieldPath);
    const reference = secretKeyRef ?? configMapKeyRef;
    if (reference === undefined) throw new Error('a source of a variable that is not known here');
    const kind = secretKeyRef === undefined ? 'configmaps' : 'secrets';
    const data = await this.#data(kind, reference.name, reference.optional);
    const found = data[reference.key];
    if (found === undefined && reference.optional !== true)
      throw new Error(`couldn't find key ${reference.key} in ${kind} ${reference.name}`);
    return found;
  }

  #field(path: string): string {
    const { name, namespace, uid } = this.#pod.metadata;
    const fields: Record<string, string> = {
      'metadata.name': name,
      'metadata.namespace': namespace,
      'metadata.uid': uid,
      'status.podIP': this.#address,
      'spec.nodeName': this.#pod.spec.nodeName,
      'status.hostIP': nodeAddress,
    };
    return fields[path] ?? '';
  }

  /** @returns folders by the volumes' names @throws Error that names what is not there (yet) */
  async volumes(folder: string): Promise<Record<string, string>> {
    const made: Record<string, string> = {};
    for (const volume of this.#pod.spec.volumes ?? []) {
      const claim = volume.persistentVolumeClaim?.claimName;
      const place = claim === undefined ? join(folder, volume.name) : await this.#claimed(claim);
      made[volume.name] = place;
      if (claim !== undefined) continue;
      mkdirSync(place, { recursive: true });
      if (volume.emptyDir !== undefined) chmodSync(place, 0o1777);
      else if (volume.configMap !== undefined) write(place, await this.#data('configmaps', volume.configMap.name));
      else if (volume.secret !== undefined) write(place, await this.#data('secrets', volume.secret.secretName));
      else throw new Error(`volume ${volume.name}: a kind that is not known here`);
    }
    return made;
  }

  /** The folder of the machine that a claim was bound to. */
  async #claimed(name: string): Promise<string> {
    const path = `/api/v1/namespaces/${this.#pod.metadata.namespace}/persistentvolumeclaims/${name}`;
    const { volumeName } = (await this.#api.get(path)).spec;
    if (volumeName === undefined) throw new Error(`the claim ${name} is not bound`);
    const { hostPath } = (await this.#api.get(`/api/v1/persistentvolumes/${volumeName}`)).spec;
    if (hostPath === undefined) throw new Error(`volume ${volumeName}: a kind that is not known here`);
    return hostPath.path;
  }

  async #data(kind: 'secrets' | 'configmaps', name: string, optional = false): Promise<Record<string, string>> {
    const path = `/api/v1/namespaces/${this.#pod.metadata.namespace}/${kind}/${name}`;
    try {
      const { data = {} } = await this.#api.get<{ data?: Record<string, string> }>(path);
      return kind === 'configmaps' ? data : decoded(data);
    } catch (error) {
      if (optional && error instanceof ApiError && error.status === 404) return {};
      throw error;
    }
  }
}

const decoded = (data: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]));

function write(place: string, data: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(data)) writeFileSync(join(place, name), text);
}
