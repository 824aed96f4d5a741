import { dirname } from 'node:path';
import { foldersIn, importedFiles, roomsIn } from './imports.ts';

/** Which files each file imports. */
type Imports = ReadonlyMap<string, readonly string[]>;

/** Tests and what surrounds them, which may look into all folders. */
const isAboutTests = /\.(test|suite|fixture|child)\.ts$|\/(testing|suites|end-to-end)\//;

export function importsOfTheProject(): Imports {
  const parts = ['contracts', ...foldersIn('libs'), ...foldersIn('services'), 'infra/network-simulator', 'tools'];
  const rooms = parts.flatMap(roomsIn).filter(({ file }) => !isAboutTests.test(file));
  return new Map(rooms.map((room) => [room.file, importedFiles(room)]));
}

/**
 * Folders that stand beside each other and import each other both ways, `src/a ↔ src/b`. What a folder holds counts as
 * itself; a folder and one inside it, and the files above both, are no pair.
 */
export function twoWayFolders(imports: Imports): string[] {
  const oneWay = new Set<string>();
  for (const [file, targets] of imports)
    for (const target of targets) {
      const [from, to] = besideEachOther(dirname(file), dirname(target));
      if (from !== undefined && to !== undefined) oneWay.add(`${from} ${to}`);
    }
  const pairs = [...oneWay].map((way) => way.split(' ')).filter(([from, to]) => oneWay.has(`${to} ${from}`));
  return [...new Set(pairs.map((pair) => pair.toSorted().join(' ↔ ')))].toSorted();
}

/** The folders in which two paths part; nothing where one lies in the other. */
function besideEachOther(one: string, other: string): [string?, string?] {
  const [left, right] = [one.split('/'), other.split('/')];
  const parting = left.findIndex((name, place) => name !== right[place]);
  if (parting < 0 || parting >= right.length) return [];
  return [left.slice(0, parting + 1).join('/'), right.slice(0, parting + 1).join('/')];
}

/** Files that come back to themselves by imports, also by those of types alone, which the linter's `no-cycle` leaves out. */
export function filesInCircles(imports: Imports): string[] {
  return [...imports.keys()].filter((file) => reachedFrom(file, imports).has(file)).toSorted();
}

function reachedFrom(start: string, imports: Imports): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop())
    for (const target of imports.get(file) ?? [])
      if (!reached.has(target)) {
        reached.add(target);
        open.push(target);
      }
  return reached;
}

/** `node tools/architecture/circles.ts` prints what there is, as `circles-left.json` has it. */
if (import.meta.main) {
  const imports = importsOfTheProject();
  console.log(JSON.stringify({ folders: twoWayFolders(imports), files: filesInCircles(imports) }, undefined, 2));
}
