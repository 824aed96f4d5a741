// Builds what the tests of the chart and of the workflows need, once for each version: `node tools/kubernetes/build.ts` (`.ci/run`
// calls it). Needs Go. The control plane takes about four minutes of two cores.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  builtPrograms,
  clusterPrograms,
  controlPlane,
  foreignKinds,
  goModules,
  kubernetesVersion,
} from './programs.ts';

interface Product {
  readonly name: string;
  readonly files: readonly string[];
  /** Puts the files into an empty folder. @throws Error with what went wrong */
  make(folder: string): void;
}

/** Fewer garbage collections of the compiler. */
const environment = { ...process.env, GOFLAGS: '-trimpath -buildvcs=false', CGO_ENABLED: '0', GOGC: '400' };
/** What is compiled once and runs for minutes: nothing is put into line, nothing is written for debuggers. */
const sooner = '-gcflags=all=-l -dwarf=false';

function go(words: readonly string[], folder: string, cwd?: string): void {
  const how = { stdio: 'inherit', env: { ...environment, GOBIN: folder }, ...(cwd !== undefined && { cwd }) } as const;
  const { status, error } = spawnSync('go', words, how);
  if (status !== 0) throw new Error(error?.message ?? `go ${words[0]} has failed.`);
}

const installed = (name: string, module: string): Product => ({
  name,
  files: [name],
  make: (folder) => go(['install', sooner, module], folder),
});

/** Files of a Go module that describe kinds of Kubernetes; nothing of it is compiled. */
const kinds = (name: string, module: string, place: string): Product => {
  const files = foreignKinds.filter((file) => file.startsWith(name));
  return {
    name,
    files,
    make: (folder) => {
      const output = execFileSync('go', ['mod', 'download', '-json', module], { env: environment, encoding: 'utf8' });
      const { Dir } = JSON.parse(output) as { Dir: string };
      for (const file of files) copyFileSync(join(Dir, place, file), join(folder, file));
    },
  };
};

const [major, minor] = kubernetesVersion.split('.');
const version = { gitVersion: `v${kubernetesVersion}`, gitMajor: major, gitMinor: minor };
const flags = Object.entries(version).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);

const products: readonly Product[] = [
  installed('helm', goModules.helm),
  installed('actionlint', goModules.actionlint),
  kinds('gateway.networking.k8s.io', goModules.gatewayApi, 'config/crd/standard'),
  kinds('keda.sh', goModules.keda, 'config/crd/bases'),
  kinds('monitoring.coreos.com', goModules.prometheusOperator, 'example/prometheus-operator-crd'),
  {
    name: 'control-plane',
    files: clusterPrograms,
    make: (folder) =>
      go(['build', sooner, `-ldflags=-s -w ${flags.join(' ')}`, '-o', `${folder}/`, './cmd/...'], folder, controlPlane),
  },
];

for (const { name, files, make } of products) {
  if (files.every((file) => existsSync(join(builtPrograms, file)))) continue;
  console.log(`Building ${name} (once) …`);
  const draft = join(builtPrograms, `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    make(draft);
    for (const file of files) renameSync(join(draft, file), join(builtPrograms, file));
  } catch (error) {
    console.error(`${name} could not be built. ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
