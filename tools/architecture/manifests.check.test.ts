import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { expect, it } from '@jest/globals';
import { parse } from '@babel/parser';
import { foldersIn, roomsIn, type Room } from './imports.ts';

/** Files that only tests load, and fixed programs that they start. */
const ofTests = /\.(test|suite|harness|fixture|child)\.ts$|\/(testing|end-to-end|generation)\//;
/** The whole package is for tests; only what starts a gateway from outside runs without them. */
const testing = { folder: 'libs/testing', running: /\/(running|call-gateway|gateway-process|webhook-receiver)\.ts$/ };

const folders = ['contracts', ...foldersIn('libs'), ...foldersIn('services'), 'infra/network-simulator'];
const isRun = ({ file }: Room): boolean =>
  file.startsWith(`${testing.folder}/`)
    ? testing.running.test(file)
    : !ofTests.test(file) && /\/(src|web)\//.test(file);

/** The packages that a file loads when it runs; types are gone by then. */
function loaded({ file, text }: Room): string[] {
  const { program } = parse(text, {
    sourceType: 'module',
    plugins: ['typescript', ...(file.endsWith('x') ? ['jsx' as const] : [])],
  });
  const fixed = program.body.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') return statement.importKind === 'type' ? [] : [statement.source.value];
    if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportAllDeclaration')
      return statement.exportKind === 'type' || !statement.source ? [] : [statement.source.value];
    return [];
  });
  const asked = [...text.matchAll(/await import\('([^']+)'\)/g)].map(([, specifier]) => specifier ?? '');
  return [...fixed, ...asked]
    .filter((specifier) => !/^(\.|node:|#|virtual:)/.test(specifier) && !builtinModules.includes(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

it.each(folders)('%s names what it loads at run time, so that it runs without what tests need', (folder) => {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
  const named = new Set([
    manifest.name,
    ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
  ]);
  const rooms = roomsIn(folder).filter(isRun);
  expect(rooms.length).toBeGreaterThan(0);
  const missing = rooms.flatMap((room) =>
    loaded(room)
      .filter((name) => !named.has(name))
      .map((name) => `${room.file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Packages whose README is a manual for builders of further pages. */
const longer = new Set(['services/admin']);

it.each(folders.filter((folder) => !longer.has(folder)))(
  '%s says in ten to thirty lines what it is and what it promises',
  (folder) => {
    const lines = readFileSync(`${folder}/README.md`, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(10);
    expect(lines.length).toBeLessThanOrEqual(30);
  },
);
