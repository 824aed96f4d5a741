import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../cluster/api.ts';
import { namespace, shop, type RolloutWorld, type Version } from './world.ts';

/** Patience that ends only what is broken, milliseconds, and for Helm and kubectl. */
export const patienceMs = 1_200_000;
export const patience = '--timeout=15m';

/** What an operator does with the installation `shop`, and sees of it. */
export interface Installation {
  /** @returns what Helm printed @throws Error with it, and with the last lines of all pods */
  helm(...words: readonly string[]): Promise<string>;
  kubectl(...words: readonly string[]): Promise<string>;
  /** Waits until everything is ready. @param words further ones for Helm */
  move(verb: 'install' | 'upgrade', version: Version, ...words: readonly string[]): Promise<string>;
  /** Values that `move` takes from now on. */
  use(values: object): void;
  pods(): Promise<readonly KubernetesObject[]>;
  podsOf(component: string): Promise<readonly KubernetesObject[]>;
  allAvailable(): Promise<string>;
  /** How often containers were started again. */
  restarts(): Promise<number>;
}

/** @param folder for values */
export function installationIn(world: RolloutWorld, folder: string): Installation {
  const values = join(folder, 'values.json');
  const use = (chosen: object): void => writeFileSync(values, JSON.stringify(chosen));
  use(world.values);
  const { api } = world.cluster;
  const helm = (...words: readonly string[]): Promise<string> =>
    world.cluster.helm(...words, '--namespace', namespace).catch((error: Error) => {
      throw new Error(`${error.message}\n${world.cluster.logs()}`, { cause: error });
    });
  const kubectl = (...words: readonly string[]): Promise<string> =>
    world.cluster.kubectl('--namespace', namespace, ...words);
  const pods = (): Promise<readonly KubernetesObject[]> => api.list(`/api/v1/namespaces/${namespace}/pods`);
  return {
    helm,
    kubectl,
    use,
    pods,
    move: (verb, version, ...words) => {
      const chosen = ['--values', values, '--set', `image.tag=${version}`];
      return helm(verb, shop, world.chart(version), ...chosen, '--wait', patience, ...words);
    },
    podsOf: async (component) =>
      (await pods()).filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === component),
    allAvailable: () => kubectl('wait', '--for=condition=Available', 'deployment', '--all', patience),
    restarts: async () =>
      (await pods()).reduce((sum, { status }) => sum + (status?.containerStatuses?.[0]?.restartCount ?? 0), 0),
  };
}

/** What the container of a pod that failed has said last. */
export const lastWords = ({ status }: KubernetesObject): string =>
  String(status?.containerStatuses?.[0]?.state?.terminated?.message ?? '');
