// Programs that try the chart and the workflows. `.ci/run` builds them with Go; elsewhere those that are installed serve.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userCache } from '@messaging-gateway/testing/user-cache';

/** The Go module of etcd, the control plane and kubectl. */
export const controlPlane = fileURLToPath(new URL('control-plane/', import.meta.url));

export const kubernetesVersion = '1.34.4';

/** Go modules of which programs or descriptions of kinds are taken. */
export const goModules = {
  helm: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7',
  gatewayApi: 'sigs.k8s.io/gateway-api@v1.3.0',
  keda: 'github.com/kedacore/keda/v2@v2.17.2',
  prometheusOperator: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
} as const;

/** Folder of the programs that `build.ts` builds. Its name changes with their versions and sources. */
export const builtPrograms = userCache('kubernetes', versionsHash());

function versionsHash(): string {
  const hash = createHash('sha256').update(JSON.stringify([kubernetesVersion, goModules]));
  for (const file of readdirSync(controlPlane, { recursive: true, encoding: 'utf8' }).toSorted())
    if (/\.(go|mod|sum)$/.test(file)) hash.update(readFileSync(join(controlPlane, file)));
  return hash.digest('hex').slice(0, 16);
}

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
