// Installs what is missing. Runs on the Node.js of the machine (20 or later); everything after it runs on the pinned one.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, 'node_modules', '.installed-for');
const pinnedNode = join(root, 'node_modules', '.bin', 'node');

const manifests = ['package.json', 'package-lock.json', ...workspaceManifests()];
const stamp = createHash('sha256')
  .update(manifests.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'))
  .digest('hex');

if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp || !existsSync(pinnedNode)) install();
checkNode();

function workspaceManifests() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return workspaces
    .flatMap((pattern) => globFolder(pattern))
    .map((folder) => `${folder}/package.json`)
    .filter((file) => existsSync(join(root, file)))
    .sort();
}

/** `libs/*` or a plain folder. */
function globFolder(pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
}

function install() {
  console.log('Installing dependencies (once, about a minute) …');
  // `npm install` and not `npm ci`: the lock file names no optional packages of other platforms.
  const done = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (done.status !== 0) {
    console.error('npm install failed: see above.');
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}

function checkNode() {
  let version = 'none';
  try {
    version = execFileSync(pinnedNode, ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    // Said below.
  }
  if (Number(version.slice(1).split('.')[0]) >= 24) return;
  console.error(
    `The project runs on Node.js 24 from its own dependencies, but found ${version}: npm was told to skip install scripts. ` +
      'Run `npm install --ignore-scripts=false` and try again.',
  );
  process.exit(1);
}
