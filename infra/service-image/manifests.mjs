// Leaves of a checkout only what npm needs to install the services, so that a change of code installs nothing anew:
// the manifests of the workspaces that they reach, without development dependencies, and the lock file. `pages`: to build the web UI.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const root = read('.');
const folders = globSync(root.workspaces.map((pattern) => `${pattern}/package.json`)).map((file) => dirname(file));
const folderOf = new Map(folders.map((folder) => [read(folder).name, folder]));

/** Packages that build the web UI, which reads the routes of contracts. */
const ofPages = [join('services', 'admin'), 'contracts'];
const notRun = [join('services', 'standalone'), join('services', 'admin')];
/** The image runs the services one by one, not all in one process, and the verbs of operators. */
const ofServices = [
  ...folders.filter((folder) => dirname(folder) === 'services' && !notRun.includes(folder)),
  join('libs', 'backup'),
  'infra/network-simulator',
];
const roots = process.argv[2] === 'pages' ? ofPages : ofServices;

const needed = new Set();
const reach = (folder) => {
  if (folder === undefined || needed.has(folder)) return;
  needed.add(folder);
  for (const name of Object.keys(read(folder).dependencies ?? {})) reach(folderOf.get(name));
};
for (const folder of roots) reach(folder);

const manifests = new Map(
  [...needed].map((folder) => [join(folder, 'package.json'), { ...read(folder), devDependencies: {} }]),
);
manifests.set('package.json', { ...root, workspaces: [...needed], devDependencies: {}, scripts: {} });

const kept = new Set(['package-lock.json', '.npmrc']);
for (const file of globSync('**', { withFileTypes: true })) {
  const path = join(file.parentPath, file.name);
  if (file.isFile() && !kept.has(path)) rmSync(path);
}
for (const [path, manifest] of manifests) writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
