import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { foldersIn, importedFiles, roomsIn, type Room } from './imports.ts';

const scope = '@messaging-gateway/';

/** The first two folders of a path: a library, a service, or `contracts`. */
const partOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('contracts') ? 1 : 2)
    .join('/');

const packages = new Map(
  ['contracts', ...foldersIn('libs'), ...foldersIn('services')].map((part) => [
    `${scope}${part.split('/').at(-1)}`,
    part,
  ]),
);

/** The parts of the project that a room imports. */
function targets(room: Room): string[] {
  const others = room.imports.map((specifier) => packages.get(specifier.split('/').slice(0, 2).join('/')));
  return [...importedFiles(room).map(partOf), ...others.filter((part) => part !== undefined)];
}

const violations = (rooms: readonly Room[], forbidden: (from: string, to: string) => boolean): string[] =>
  rooms.flatMap((room) =>
    targets(room)
      .filter((to) => to !== partOf(room.file) && forbidden(partOf(room.file), to))
      .map((to) => `${room.file} imports ${to}`),
  );

describe('the architecture', () => {
  it('services never import services; the registry names them, and programs and the process of all of them take them from it', () => {
    const assembling = /^services\/(?:registry\.ts$|standalone\/)/;
    const programs = /^services\/[^/]+\/src\/(?:main|program|with-engines)\.ts$/;
    const rooms = roomsIn('services').filter((room) => !assembling.test(room.file));
    const allowed = (from: string, to: string): boolean => programs.test(from) && to === 'services/registry.ts';
    expect(
      rooms.flatMap((room) => violations([room], (_, to) => to.startsWith('services/') && !allowed(room.file, to))),
    ).toEqual([]);
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

  it('files that open sessions of the Signal library keep it from printing', () => {
    const rooms = ['infra', 'services', 'tools'].flatMap(roomsIn).filter(({ file }) => !file.endsWith('.child.ts'));
    const opening = rooms.filter(
      ({ imports, text }) => imports.some((name) => name.startsWith('libsignal')) || /\bmakeWASocket\(/.test(text),
    );
    expect(opening.length).toBeGreaterThan(0);
    expect(opening.filter(({ imports }) => imports[0] !== '@messaging-gateway/runtime/silent-signal-library')).toEqual(
      [],
    );
  });

  it('programs that tests start are `*.child.ts`, beside the file that starts them', () => {
    const rooms = [...roomsIn('contracts'), ...roomsIn('libs'), ...roomsIn('services')];
    const started = rooms.flatMap((room) =>
      [...room.text.matchAll(/new URL\('([^']+\.child\.ts)', import\.meta\.url\)/g)].map(([, name]) =>
        join(dirname(room.file), name ?? ''),
      ),
    );
    const children = rooms.map(({ file }) => file).filter((file) => file.endsWith('.child.ts'));
    expect(children.length).toBeGreaterThan(0);
    expect([...new Set(started)].toSorted()).toEqual(children.toSorted());
  });

  it('programs answer signals before they load anything else', () => {
    const mains = roomsIn('services').filter(({ file }) => /^services\/[^/]+\/src\/main\.ts$/.test(file));
    expect(mains.length).toBeGreaterThan(0);
    for (const { file, text } of mains) {
      const loaded = [...text.matchAll(/^import .* from '([^']+)';$/gm)].map(([, from]) => from);
      const own = loaded.filter((from) => !from?.startsWith('node:'));
      expect([file, own]).toEqual([file, ['@messaging-gateway/service/beginning']]);
      expect([file, text]).toEqual([
        file,
        expect.stringMatching(
          /^begin\(\);\n[^]*^(?:const \{ rowOf \} = )?await import\('(?:\.\/program|\.\.\/\.\.\/registry)\.ts'\);\n/m,
        ),
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
