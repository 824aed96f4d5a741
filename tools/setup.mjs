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
  // `npm install` and not `npm ci`: the lock file names no optional packages of other platforms. An npm before 11.16 knows
  // no `allowScripts`: no package runs a script of its own here but those that it names.
  npm('install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  npm('rebuild', '--ignore-scripts=false', '--loglevel=error', ...withScripts());
  writeFileSync(stampFile, stamp);
}

/** The packages whose scripts are needed and that this platform has. */
function withScripts() {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(join(root, 'node_modules', name)));
}

function npm(command, ...args) {
  const done = spawnSync('npm', [command, ...args], { cwd: root, stdio: 'inherit' });
  if (done.status === 0) return;
  console.error(`npm ${command} failed: see above.`);
  process.exit(1);
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
