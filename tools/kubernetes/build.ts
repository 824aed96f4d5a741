// Builds what the tests of the chart and of the workflows need, once for each version: `node tools/kubernetes/build.ts` (`.ci/run`
// calls it). Needs Go. The control plane takes about four minutes of two cores.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPrograms, clusterPrograms, foreignKinds } from './programs.ts';

interface Product {
  readonly name: string;
  /** Changes with every version of it. */
  readonly version: string;
  readonly files: readonly string[];
  /** Puts the files into an empty folder. @throws Error with what went wrong */
  make(folder: string): void;
}

const kubernetes = '1.34.4';
const controlPlane = fileURLToPath(new URL('control-plane/', import.meta.url));
/** The compiler has room enough to collect its garbage less often. */
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
  version: module,
  files: [name],
  make: (folder) => go(['install', sooner, module], folder),
});

/** Files of a Go module that describe kinds of Kubernetes; nothing of it is compiled. */
const kinds = (name: string, module: string, place: string): Product => {
  const files = foreignKinds.filter((file) => file.startsWith(name));
  return {
    name,
    version: module,
    files,
    make: (folder) => {
      const told = execFileSync('go', ['mod', 'download', '-json', module], { env: environment, encoding: 'utf8' });
      const { Dir } = JSON.parse(told) as { Dir: string };
      for (const file of files) copyFileSync(join(Dir, place, file), join(folder, file));
    },
  };
};

function sourceOf(folder: string): string {
  const hash = createHash('sha256').update(kubernetes);
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted())
    if (/\.(go|mod|sum)$/.test(file)) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

const [major, minor] = kubernetes.split('.');
const told = { gitVersion: `v${kubernetes}`, gitMajor: major, gitMinor: minor };
const flags = Object.entries(told).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);

const products: readonly Product[] = [
  installed('helm', 'helm.sh/helm/v4/cmd/helm@v4.3.1'),
  installed('actionlint', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7'),
  kinds('gateway.networking.k8s.io', 'sigs.k8s.io/gateway-api@v1.3.0', 'config/crd/standard'),
  kinds('keda.sh', 'github.com/kedacore/keda/v2@v2.17.2', 'config/crd/bases'),
  kinds(
    'monitoring.coreos.com',
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd',
  ),
  {
    name: 'control-plane',
    version: sourceOf(controlPlane),
    files: clusterPrograms,
    make: (folder) =>
      go(['build', sooner, `-ldflags=-s -w ${flags.join(' ')}`, '-o', `${folder}/`, './cmd/...'], folder, controlPlane),
  },
];

for (const { name, version, files, make } of products) {
  const stamp = join(builtPrograms, `.${name}.version`);
  const isThere = files.every((file) => existsSync(join(builtPrograms, file)));
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === version) continue;
  console.log(`Building ${name} (once) …`);
  const draft = join(builtPrograms, `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    make(draft);
    for (const file of files) renameSync(join(draft, basename(file)), join(builtPrograms, file));
    writeFileSync(stamp, version);
  } catch (error) {
    console.error(`${name} could not be built. ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
