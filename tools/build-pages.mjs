// The web UI, built into `services/admin/dist` when what it is made of has changed. Runs on the machine's Node.js 20 or later.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sources of the app; of contracts its table of routes. */
const sources = ['services/admin', 'contracts/src', 'package-lock.json', 'tsconfig.base.json'];
const isLeftOut = (path) => /(^|\/)(node_modules|dist|\.building-[^/]*)(\/|$)|\.(test|suite)\.tsx?$/.test(path);

/**
 * Builds the web UI unless it has been built of the same sources, lock file and `ADMIN_PUBLIC_…` variables. Beside what there is: a
 * build that fails, or is killed, leaves that as it was.
 *
 * @param root of the project
 * @param node the program of Node.js that runs TypeScript as it stands
 * @returns whether the UI is as its sources are
 */
export function buildPages(root, node) {
  const admin = join(root, 'services/admin');
  const target = join(admin, 'dist');
  const stamp = stampOf(root);
  const stampFile = join(target, '.built-for');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return true;
  const building = join(admin, `.building-${process.pid}`);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  console.log('Building the web UI (when it has changed, some seconds) …');
  const args = [vite, 'build', admin, '--outDir', building, '--emptyOutDir', '--logLevel', 'error'];
  const done = spawnSync(node, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    if (done.status !== 0) return false;
    writeFileSync(join(building, '.built-for'), stamp);
    rmSync(target, { recursive: true, force: true });
    renameSync(building, target);
    return true;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function stampOf(root) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((path) => filesOf(root, path)))
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  const names = Object.keys(process.env).filter((name) => name.startsWith('ADMIN_PUBLIC_'));
  const variables = names.sort((one, other) => (one < other ? -1 : 1)).map((name) => [name, process.env[name]]);
  return hash.update(JSON.stringify(variables)).digest('hex');
}

/** Paths of files below a folder, from the root; or of the file itself. */
function filesOf(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort((one, other) => (one < other ? -1 : 1))
    .map((name) => `${path}/${name}`)
    .filter((inner) => !isLeftOut(inner))
    .flatMap((inner) => filesOf(root, inner));
}
