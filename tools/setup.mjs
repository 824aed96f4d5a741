// Installs what is missing. Runs on the Node.js of the machine (20 or later); everything after it runs on `node_modules/.bin/node`.
// `node tools/setup.mjs`: what running needs; `all`: what tests and checks need too; `pages`: and the web UI built.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.installed-for');
const nodeHere = join(modules, '.bin', 'node');
const rootManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The major version that runs TypeScript as it stands. */
const enough = Number(rootManifest.config.node.split('.')[0]);

const manifests = ['package.json', 'package-lock.json', ...workspaceManifests()];
const stamp = createHash('sha256')
  .update(manifests.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'))
  .digest('hex');
const [installedFor, extent] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim().split(' ') : [];
// What is there for tests stays there. A stamp without a word is of a time when everything was installed.
const words = process.argv.slice(2);
const wanted = words.includes('all') || (installedFor !== undefined && extent !== 'run') ? 'all' : 'run';

if (installedFor !== stamp || (extent ?? 'all') !== wanted) install();
if (majorOf(nodeHere) < enough) provideNode();
if (words.includes('pages') && !buildPages(root, nodeHere))
  console.error('The web UI could not be built, see above: the API is served without it, or with the one of before.');

function workspaceManifests() {
  return rootManifest.workspaces
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
  console.log(
    wanted === 'all'
      ? 'Installing what tests need (once, about a minute) …'
      : 'Installing what running needs (once, some seconds) …',
  );
  // `npm install` and not `npm ci`: the lock file names no optional packages of other platforms. An npm before 11.16 knows
  // no `allowScripts`: no package runs a script of its own here but those that it names.
  const extentOf = wanted === 'all' ? [] : ['--omit=dev'];
  npm('install', ...extentOf, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  npm('rebuild', '--ignore-scripts=false', '--loglevel=error', ...withScripts());
  writeFileSync(stampFile, `${stamp} ${wanted}`);
}

/** The packages whose scripts are needed and that this platform has. */
function withScripts() {
  const { allowScripts } = rootManifest;
  return Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(join(modules, name)));
}

function npm(command, ...args) {
  const done = spawnSync('npm', [command, ...args], { cwd: root, stdio: 'inherit' });
  if (done.status === 0) return;
  console.error(`npm ${command} failed: see above.`);
  process.exit(1);
}

/** 0: there is none, or it does not run here. */
function majorOf(node) {
  try {
    return Number(execFileSync(node, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim().slice(1).split('.')[0]);
  } catch {
    return 0;
  }
}

/** Lets `node_modules/.bin/node` be the machine's Node.js where that is recent enough, else one that npm brings. */
function provideNode() {
  // In scripts of npm it is one of this folder that runs this, when there is one.
  const ofMachine = majorOf(process.execPath) >= enough && !process.execPath.startsWith(realpathSync(modules));
  const node = ofMachine ? process.execPath : fetchNode(rootManifest.config.node);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  rmSync(nodeHere, { force: true });
  symlinkSync(node, nodeHere);
  if (majorOf(nodeHere) < enough) giveUp(`${node} does not run here`);
}

/** @returns the program of that version, from the package for this platform */
function fetchNode(version) {
  const { platform, arch } = process;
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
  const folder = join(modules, '.node');
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  const [tries, patienceMs] = [3, 120_000];
  for (let attempt = 1; majorOf(program) < enough; attempt += 1) {
    if (attempt > tries) giveUp(`${name}@${version} could not be fetched`);
    console.log(`Fetching Node.js ${version} …`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const options = [
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    spawnSync('npm', ['install', '--prefix', folder, ...options, '--fetch-timeout=30000', `${name}@${version}`], {
      cwd: folder,
      stdio: 'inherit',
      // A download that stands still must not hold up the start for ever.
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
  }
  // Headers and manuals, which nobody reads here, are a third of it.
  for (const unread of ['include', 'share'])
    rmSync(join(program, '..', '..', unread), { recursive: true, force: true });
  return program;
}

function giveUp(why) {
  console.error(
    `The project runs on Node.js ${enough} or later: ${why}, and the one of this machine is ${process.version}. ` +
      `Install Node.js ${enough}, or look at npm's messages above and try again.`,
  );
  process.exit(1);
}
