// Builds what the tests of the chart and of the small cluster need, once: `node tools/kubernetes/build.ts` (`.ci/run` calls it). Needs Go.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPrograms } from './programs.ts';

const sources = fileURLToPath(new URL('go', import.meta.url));
const kubernetes = '1.34.4';
const [major, minor] = kubernetes.split('.');
const version = 'k8s.io/component-base/version';
const named = `-s -w -X ${version}.gitVersion=v${kubernetes} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`;

interface Build {
  readonly programs: readonly string[];
  readonly cwd?: string;
  readonly words: (draft: string) => readonly string[];
}

const installed = (program: string, module: string): Build => ({
  programs: [program],
  words: () => ['install', module],
});

const builds: readonly Build[] = [
  installed('helm', 'helm.sh/helm/v4/cmd/helm@v4.3.1'),
  installed('actionlint', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7'),
  { programs: ['etcd'], cwd: join(sources, 'etcd'), words: (draft) => ['build', '-o', draft, '.'] },
  {
    programs: readdirSync(join(sources, 'cmd')),
    cwd: sources,
    words: (draft) => ['build', '-ldflags', named, '-o', draft, './cmd/...'],
  },
];

for (const { programs, cwd, words } of builds) {
  if (programs.every((program) => existsSync(join(builtPrograms, program)))) continue;
  console.log(`Building ${programs.join(', ')} (once) …`);
  const draft = join(builtPrograms, `.draft-${process.pid}/`);
  mkdirSync(draft, { recursive: true });
  const env = { ...process.env, GOBIN: draft, GOFLAGS: '-trimpath', CGO_ENABLED: '0' };
  const { status, error } = spawnSync('go', words(draft), { stdio: 'inherit', env, ...(cwd !== undefined && { cwd }) });
  if (status === 0) for (const program of programs) renameSync(join(draft, program), join(builtPrograms, program));
  rmSync(draft, { recursive: true, force: true });
  if (status !== 0) {
    console.error(error?.message ?? `${programs.join(', ')} could not be built.`);
    process.exit(1);
  }
}
