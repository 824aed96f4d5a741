// A cluster: control plane and nodes. Ends, with all that it started and its folder, when whoever started it does.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { KubernetesApi } from './api.ts';
import { startControlPlane } from './control-plane.ts';
import { startNodeAgent, type NodeName } from './node/agent.ts';
import type { Image } from './node/image.ts';

/** First message to the process. */
export interface ClusterPlan {
  readonly folder: string;
  readonly nodes: readonly NodeName[];
  readonly images: Readonly<Record<string, Image>>;
}

/** Message of the process once it is ready. */
export interface ClusterReady {
  readonly url: string;
  readonly kubeconfig: string;
}

const { folder, nodes, images } = JSON.parse(process.argv[2] ?? '') as ClusterPlan;

async function start() {
  const controlPlane = await startControlPlane(join(folder, 'control-plane'));
  const api = new KubernetesApi(controlPlane.url);
  const agent = await startNodeAgent({ api, nodes, images, folder: join(folder, 'nodes') });
  return { controlPlane, agent };
}

const starting = start();
let ending: Promise<void> | undefined;
const end = async (): Promise<void> => {
  const running = await starting.catch(() => undefined);
  await running?.agent.stop();
  await running?.controlPlane.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
};
const endOnce = (): void => void (ending ??= end());
process.on('disconnect', endOnce);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, endOnce);

const { controlPlane, agent } = await starting;
process.on('message', ({ killNode }: { killNode: string }) => {
  void agent.killNode(killNode).then(() => process.send?.({ killed: killNode }));
});
process.send?.({ url: controlPlane.url, kubeconfig: controlPlane.kubeconfig } satisfies ClusterReady);
