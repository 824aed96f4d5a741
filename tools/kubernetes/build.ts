// Builds what the tests of the chart and of the workflows need, once: `node tools/kubernetes/build.ts` (`.ci/run` calls it). Needs Go.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtPrograms } from './programs.ts';

const modules = {
  helm: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7',
} as const;

for (const [program, module] of Object.entries(modules)) {
  if (existsSync(join(builtPrograms, program))) continue;
  console.log(`Building ${program} (once) …`);
  const draft = join(builtPrograms, `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  const env = { ...process.env, GOBIN: draft, GOFLAGS: '-trimpath', CGO_ENABLED: '0' };
  const { status, error } = spawnSync('go', ['install', module], { stdio: 'inherit', env });
  if (status === 0) renameSync(join(draft, program), join(builtPrograms, program));
  rmSync(draft, { recursive: true, force: true });
  if (status !== 0) {
    console.error(error?.message ?? `${program} could not be built.`);
    process.exit(1);
  }
}
