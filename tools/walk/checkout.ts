import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scope = '@messaging-gateway';

/** Another commit of the project in a folder of its own, with the packages that are installed here. */
export interface Checkout {
  readonly root: string;
  remove(): void;
}

/** @param here folder of this checkout */
export function checkOut(here: string, commit: string): Checkout {
  const root = join(mkdtempSync(join(tmpdir(), 'messaging-gateway-walk-')), 'checkout');
  const git = (...parts: string[]) =>
    execFileSync('git', ['-C', here, ...parts], { stdio: ['ignore', 'pipe', 'inherit'] });
  git('worktree', 'add', '--quiet', '--detach', root, commit);
  const installed = join(here, 'node_modules');
  const modules = join(root, 'node_modules');
  mkdirSync(join(modules, scope), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== scope && name !== '.cache') symlinkSync(join(installed, name), join(modules, name));
  for (const folder of packagesOf(root)) {
    symlinkSync(join(root, folder), join(modules, nameOf(root, folder)));
    const own = join(here, folder, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(root, folder, 'node_modules'));
  }
  return {
    root,
    remove: () => {
      git('worktree', 'remove', '--force', root);
      rmSync(join(root, '..'), { recursive: true, force: true });
    },
  };
}

const manifest = (root: string, folder: string): { name: string; workspaces: string[] } =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { name: string; workspaces: string[] };

const nameOf = (root: string, folder: string): string => manifest(root, folder).name;

function packagesOf(root: string): string[] {
  return manifest(root, '.').workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
}
