import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildPages } from './built.ts';

/** Bytes of headers that come with each file, about. */
const headers = 700;
const kibibyte = 1024;

let folder: string;
let files: readonly string[];

beforeAll(() => {
  folder = buildPages();
  files = readdirSync(join(folder, 'assets'));
}, 600_000);

const sizeOf = (name: string): number => statSync(join(folder, name)).size + headers;
/** As gzip, where it is packed. */
const packedSize = (asset: string): number =>
  sizeOf(files.includes(`${asset}.gz`) ? `assets/${asset}.gz` : `assets/${asset}`);
const scripts = (): readonly string[] => files.filter((name) => name.endsWith('.js'));
/** The files that a script loads together with itself. */
function neededBy(asset: string, known = new Set<string>()): Set<string> {
  if (known.has(asset)) return known;
  known.add(asset);
  const text = readFileSync(join(folder, 'assets', asset), 'utf8');
  for (const [, name] of text.matchAll(/from\s*["']\.\/([\w-]+(?:\.[\w-]+)*\.js)["']/g))
    if (name) neededBy(name, known);
  return known;
}

/** Files that the served page loads by itself. */
function loadedFirst(): ReadonlySet<string> {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
  return new Set(named.flatMap((name) => (name.endsWith('.js') ? [...neededBy(name)] : [name])));
}

const pageNamed = (folderName: string): string =>
  scripts().find((name) => name.startsWith(`page-${folderName}-`) && !name.includes('-code-')) ?? '';

describe('the built pages', () => {
  it('load in 150 KiB as gzip, with the page that signs in', () => {
    const first = loadedFirst();
    const around = sizeOf('index.html') + sizeOf('icon.svg');
    const sum =
      [...first].reduce((total, name) => total + packedSize(name), around) + ownSize(pageNamed('sign-in'), first);
    expect(sum).toBeGreaterThan(100 * kibibyte);
    expect(sum).toBeLessThanOrEqual(150 * kibibyte);
  });

  it('are named, with all that they import, for each address', () => {
    const rows = JSON.parse(readFileSync(join(folder, '.page-files.json'), 'utf8')) as readonly {
      readonly pathname: string;
      readonly files: readonly string[];
    }[];
    const first = loadedFirst();
    const shell = scripts().find((name) => name.startsWith('shell-')) ?? '';
    for (const [pathname, ...roots] of [
      ['/inbox/:conversationId?', pageNamed('inbox'), shell],
      ['/', pageNamed('overview'), shell],
      ['/sign-in', pageNamed('sign-in')],
    ]) {
      const needed = new Set(roots.flatMap((root) => [...neededBy(root)]).filter((name) => !first.has(name)));
      const named = rows.find((row) => row.pathname === pathname)?.files ?? [];
      expect([pathname, named.toSorted()]).toEqual([pathname, [...needed].map((name) => `/assets/${name}`).toSorted()]);
    }
  });

  it('load each further page in 60 KiB as gzip', () => {
    const first = loadedFirst();
    const sizes = scripts()
      .filter((name) => !first.has(name))
      .map((name) => [name, ownSize(name, first)] as const);
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.filter(([, size]) => size > 60 * kibibyte)).toEqual([]);
  });

  it('go packed, but for what is small', () => {
    const plain = files.filter((name) => /\.(js|css)$/.test(name) && !files.includes(`${name}.br`));
    expect(plain.filter((name) => sizeOf(`assets/${name}`) > 2.5 * kibibyte)).toEqual([]);
    for (const name of files.filter((one) => one.endsWith('.js')))
      expect([name, readFileSync(join(folder, 'assets', name), 'utf8')]).toEqual([
        name,
        expect.not.stringContaining('__VITE_PRELOAD__'),
      ]);
  });
});

/** Packed size of a script and of the files that it loads beside known ones, bytes. */
const ownSize = (asset: string, known: ReadonlySet<string>): number =>
  [...neededBy(asset)].filter((name) => !known.has(name)).reduce((total, name) => total + packedSize(name), 0);
