import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const scope = '@messaging-gateway';
const { commit: usual } = JSON.parse(readFileSync(new URL('./version.json', import.meta.url), 'utf8')) as {
  commit: string;
};

/** The history that is needed is not here. */
export class NoHistory extends Error {}

export interface PreviousVersion {
  readonly folder: string;
  remove(): void;
}

/**
 * The version before this one, ready to run: its files from the history, its packages those that are installed here. Only
 * those that it wants in another version are installed for it. Not below `node_modules`, where Node.js runs no TypeScript.
 *
 * @param commit of the version; the one that this version must work beside unless named
 * @throws NoHistory in a checkout without the commit
 */
export async function previousVersion(commit = usual): Promise<PreviousVersion> {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-previous-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await unpack(folder, commit);
    await linkPackages(folder);
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function unpack(folder: string, commit: string): Promise<void> {
  try {
    await run('git', ['-C', root, 'archive', '--output', join(folder, 'source.tar'), commit]);
  } catch (error) {
    throw new NoHistory(`The version before, ${commit}, is not in the history of this checkout.`, { cause: error });
  }
  await run('tar', ['-xf', 'source.tar'], { cwd: folder });
  rmSync(join(folder, 'source.tar'));
}

/** Every package of this installation, and those of the workspaces from the folder itself. */
async function linkPackages(folder: string): Promise<void> {
  const workspaces = workspacesOf(folder);
  const other = otherPackages(workspaces.map(({ manifest }) => manifest));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  if (other.length > 0) {
    const side = join(folder, 'other-packages');
    mkdirSync(side);
    await run('npm', ['install', '--prefix', side, '--no-audit', '--no-fund', '--ignore-scripts', ...other]);
    linkAll(join(side, 'node_modules'), modules);
  }
  linkAll(join(root, 'node_modules'), modules);
  mkdirSync(join(modules, scope));
  for (const { path, manifest } of workspaces) {
    symlinkSync(join(folder, path), join(modules, manifest.name));
    const own = join(root, path, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, path, 'node_modules'));
  }
}

/** Links what is not linked yet, scopes package by package. */
function linkAll(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') || name === scope) continue;
    if (name.startsWith('@')) {
      mkdirSync(join(to, name), { recursive: true });
      linkAll(join(from, name), join(to, name));
    } else if (!existsSync(join(to, name))) symlinkSync(join(from, name), join(to, name));
  }
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestAt = (path: string): Manifest | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : undefined;

const workspacesOf = (folder: string): { path: string; manifest: Manifest }[] =>
  ['contracts', 'infra/network-simulator', ...within(folder, 'libs'), ...within(folder, 'services')].flatMap((path) => {
    const manifest = manifestAt(join(folder, path, 'package.json'));
    return manifest === undefined ? [] : [{ path, manifest }];
  });

const within = (folder: string, part: string): string[] =>
  readdirSync(join(folder, part)).map((name) => join(part, name));

/** Packages that are not installed here, or in another version: `name@version`. */
function otherPackages(manifests: readonly Manifest[]): string[] {
  const wanted = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies));
  const others = wanted.filter(
    ([name, version]) =>
      dirname(name) !== scope && manifestAt(join(root, 'node_modules', name, 'package.json'))?.version !== version,
  );
  return [...new Set(others.map(([name, version]) => `${name}@${version}`))];
}
