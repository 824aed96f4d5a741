import { cpSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import dockerignore from '@balena/dockerignore';

/** The files that a build sees: those of a folder without what its .dockerignore names. */
export interface BuildContext {
  /** Copies a file, or what a folder holds, as `COPY` does. */
  copy(source: string, target: string): void;
}

export function buildContext(folder: string): BuildContext {
  const ignored = dockerignore.default().add(readFileSync(join(folder, '.dockerignore'), 'utf8'));
  const files = filesBelow(folder, '', (path) => ignored.ignores(path));
  return {
    copy: (source, target) => {
      if (source !== '.' && statSync(join(folder, source)).isFile()) return copyFile(join(folder, source), target);
      const prefix = source === '.' ? '' : `${source}/`;
      const found = files.filter((file) => file.startsWith(prefix));
      if (found.length === 0) throw new Error(`COPY ${source}: the build context has no such file.`);
      for (const file of found) copyFile(join(folder, file), join(target, file.slice(prefix.length)));
    },
  };
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function filesBelow(root: string, folder: string, ignores: (path: string) => boolean): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (ignores(path)) return [];
    if (entry.isDirectory()) return filesBelow(root, path, ignores);
    return entry.isFile() ? [path] : [];
  });
}
