// Builds Helm for the tests of the chart, once: `node tools/kubernetes/build.ts` (`.ci/run` calls it). Needs Go.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtPrograms } from './programs.ts';

const helm = 'helm.sh/helm/v4/cmd/helm@v4.3.1';

if (!existsSync(join(builtPrograms, 'helm'))) {
  const draft = join(builtPrograms, `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  console.log('Building Helm (once, a few minutes) …');
  const env = { ...process.env, GOBIN: draft, GOFLAGS: '-trimpath', CGO_ENABLED: '0' };
  const { status, error } = spawnSync('go', ['install', helm], { stdio: 'inherit', env });
  if (status === 0) renameSync(join(draft, 'helm'), join(builtPrograms, 'helm'));
  rmSync(draft, { recursive: true, force: true });
  if (status !== 0) {
    console.error(error?.message ?? 'Helm could not be built.');
    process.exit(1);
  }
}
