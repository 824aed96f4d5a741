import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copied = [
  'contracts',
  'infra',
  'libs',
  'services',
  'tools',
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
];

/** A copy of the project that may be changed; installed packages are shared. */
export interface CopiedProject {
  readonly root: string;
  /** Writes a new file. */
  add(path: string, text: string): void;
  /** Puts a text behind another one, which must be there once, in a file that is there. */
  insert(path: string, behind: string, text: string): void;
  remove(): void;
}

export function copyProject(): CopiedProject {
  const copy = mkdtempSync(join(tmpdir(), 'messaging-gateway-copy-'));
  const nested: string[] = [];
  for (const name of copied)
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (source) => {
        const isModules = basename(source) === 'node_modules';
        if (isModules) nested.push(relative(root, source));
        return !isModules;
      },
    });
  for (const path of nested) symlinkSync(join(root, path), join(copy, path));
  shareModules(copy);
  return {
    root: copy,
    add: (path, text) => {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text);
    },
    insert: (path, behind, text) => {
      const [before, after, ...more] = readFileSync(join(copy, path), 'utf8').split(behind);
      if (before === undefined || after === undefined || more.length > 0)
        throw new Error(`${path} does not hold "${behind}" once.`);
      writeFileSync(join(copy, path), before + behind + text + after);
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

/** Packages of the project are those of the copy; all others are links to the installed ones. */
function shareModules(copy: string): void {
  const installed = join(root, 'node_modules');
  const scope = '@messaging-gateway';
  mkdirSync(join(copy, 'node_modules', scope), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== scope) symlinkSync(join(installed, name), join(copy, 'node_modules', name));
  for (const name of readdirSync(join(installed, scope)))
    symlinkSync(readlinkSync(join(installed, scope, name)), join(copy, 'node_modules', scope, name));
}
