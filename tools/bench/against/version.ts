import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const scope = '@messaging-gateway';

/** A commit of the project beside this one, run on the same installed packages. */
export interface Version {
  readonly folder: string;
  /** Its own lock file names other packages: what is measured is its code on the packages of today. */
  readonly otherPackages: boolean;
  remove(): void;
}

/** @param commit anything that git knows @throws Error when git does not know it */
export function checkedOut(commit: string): Version {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-version-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: project, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    linkPackages(folder);
  } catch (error) {
    remove();
    throw error;
  }
  const lock = (at: string): string => readFileSync(join(at, 'package-lock.json'), 'utf8');
  return { folder, otherPackages: lock(folder) !== lock(project), remove };
}

/** Packages from outside are those of this project; its own are those of the version. */
function linkPackages(folder: string): void {
  const link = (from: string, name: string): void => symlinkSync(from, join(folder, 'node_modules', name));
  mkdirSync(join(folder, 'node_modules', scope), { recursive: true });
  for (const name of readdirSync(join(project, 'node_modules'))) {
    if (name !== scope) link(join(project, 'node_modules', name), name);
  }
  for (const manifest of ownManifests(folder)) {
    const { name } = JSON.parse(readFileSync(join(folder, manifest), 'utf8')) as { name: string };
    const own = dirname(manifest);
    link(join(folder, own), name);
    const nested = join(project, own, 'node_modules');
    if (existsSync(nested)) symlinkSync(nested, join(folder, own, 'node_modules'));
  }
}

function ownManifests(folder: string): string[] {
  const places = ['libs', 'services', 'infra'].flatMap((group) =>
    readdirSync(join(folder, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(group, entry.name)),
  );
  return ['contracts', ...places]
    .map((place) => join(place, 'package.json'))
    .filter((manifest) => existsSync(join(folder, manifest)));
}

/** Short name of a commit, for a table. */
export const shortName = (commit: string): string =>
  execFileSync('git', ['rev-parse', '--short', commit], { cwd: project, encoding: 'utf8' }).trim();
