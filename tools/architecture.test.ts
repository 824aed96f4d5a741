import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
const scope = '@messaging-gateway/';

interface Room {
  readonly file: string;
  readonly imports: readonly string[];
  readonly text: string;
}

function roomsIn(folder: string): Room[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => read(join(folder, file)));
}

function read(file: string): Room {
  const text = readFileSync(join(root, file), 'utf8');
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  return { file, imports, text };
}

/** The first two folders of a path: a library, a service, or `contracts`. */
const partOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('contracts') ? 1 : 2)
    .join('/');

const packages = new Map(
  [
    'contracts',
    ...['libs', 'services'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)),
  ].map((part) => [`${scope}${part.split('/').at(-1)}`, part]),
);

/** The part of the project that an import leads to; undefined for a library from outside. */
function target(room: Room, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return partOf(relative(root, resolve(root, dirname(room.file), specifier)));
  return packages.get(specifier.split('/').slice(0, 2).join('/'));
}

const violations = (rooms: readonly Room[], forbidden: (from: string, to: string) => boolean): string[] =>
  rooms.flatMap((room) =>
    room.imports
      .map((specifier) => target(room, specifier))
      .filter((to): to is string => to !== undefined && to !== partOf(room.file) && forbidden(partOf(room.file), to))
      .map((to) => `${room.file} imports ${to}`),
  );

describe('the architecture', () => {
  it('services never import services; only the standalone process and the gateway with engines assemble them', () => {
    const assembling = /^services\/(standalone\/|gateway\/src\/with-engines\.ts$)/;
    const rooms = roomsIn('services').filter((room) => !assembling.test(room.file));
    expect(violations(rooms, (_, to) => to.startsWith('services/'))).toEqual([]);
  });

  it('libraries never import services', () => {
    expect(violations(roomsIn('libs'), (_, to) => to.startsWith('services/'))).toEqual([]);
  });

  it('contracts import nothing of the project', () => {
    expect(violations(roomsIn('contracts'), () => true)).toEqual([]);
  });

  it('the simulated network is imported by tests only', () => {
    const rooms = [...roomsIn('libs'), ...roomsIn('services')].filter(
      (room) => !/\.(test|suite)\.ts$|\/(testing|end-to-end)\//.test(room.file),
    );
    expect(
      rooms.filter((room) => room.imports.some((name) => name.includes('network-simulator'))).map((room) => room.file),
    ).toEqual([]);
  });

  it('programs answer signals before they load anything else', () => {
    const mains = readdirSync(join(root, 'services')).map((name) => read(`services/${name}/src/main.ts`));
    expect(mains).toHaveLength(8);
    for (const { file, text } of mains) {
      const loaded = [...text.matchAll(/^import .* from '([^']+)';$/gm)].map(([, from]) => from);
      const own = loaded.filter((from) => !from?.startsWith('node:'));
      expect([file, own]).toEqual([file, ['@messaging-gateway/service/beginning']]);
      expect([file, text]).toEqual([
        file,
        expect.stringMatching(/^begin\(\);\n[^]*^await import\('\.\/program\.ts'\);\n$/m),
      ]);
    }
  });

  it('deciders do no input or output', () => {
    const deciders = roomsIn('services').filter(
      (room) => /: Decider</.test(room.text) && !room.file.endsWith('.test.ts'),
    );
    const impure = deciders.filter(
      (room) =>
        room.imports.some((name) => name.startsWith('node:') && name !== 'node:crypto') ||
        /\bDate\.now\(|new Date\(\)|Math\.random\(/.test(room.text),
    );
    expect(deciders.length).toBeGreaterThan(0);
    expect(impure.map((room) => room.file)).toEqual([]);
  });
});
