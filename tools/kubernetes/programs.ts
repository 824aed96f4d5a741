// Programs that try the chart and the workflows. `.ci/run` builds them with Go; elsewhere those that are installed serve.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `build.ts` puts what it has built. */
export const builtPrograms = fileURLToPath(new URL('../../.cache/kubernetes/', import.meta.url));

/** Programs of a cluster; only `build.ts` provides them. */
export const clusterPrograms = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
] as const;
export type ClusterProgram = (typeof clusterPrograms)[number];

/** The kinds of other projects that the chart renders, by the file that describes them to an API server. */
export const foreignKinds = [
  'gateway.networking.k8s.io_httproutes.yaml',
  'keda.sh_scaledobjects.yaml',
  'monitoring.coreos.com_prometheusrules.yaml',
  'monitoring.coreos.com_servicemonitors.yaml',
] as const;

/** The program of this name that was built, else the one in PATH; undefined: there is none. */
export function programOf(name: string): string | undefined {
  const places = [builtPrograms, ...(process.env['PATH'] ?? '').split(delimiter)];
  return places.map((place) => join(place, name)).find((path) => existsSync(path));
}

/** Helm: `TEST_HELM`, else as above. */
export const helmProgram = (): string | undefined => process.env['TEST_HELM'] ?? programOf('helm');

/** Message of the test command where there is no Helm; undefined where there is one. */
export const missingHelm = (): string | undefined =>
  helmProgram() === undefined
    ? 'There is no Helm: the chart is not tried. Install Helm 4, or name it in TEST_HELM'
    : undefined;

/** Message of the test command where no cluster can be had; undefined where one can. */
export function missingCluster(): string | undefined {
  const why = whyNoCluster();
  return why === undefined ? undefined : `No Kubernetes: the chart is not tried in a cluster. ${why}`;
}

function whyNoCluster(): string | undefined {
  const built = [...clusterPrograms, ...foreignKinds].every((name) => existsSync(join(builtPrograms, name)));
  if (!built || helmProgram() === undefined) return 'node tools/kubernetes/build.ts builds it, with Go';
  const missing = ['runc', 'tini'].find((name) => programOf(name) === undefined);
  if (missing !== undefined) return `Install ${missing} (Debian)`;
  return process.getuid?.() === 0 ? undefined : 'Containers need root';
}
