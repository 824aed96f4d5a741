// `typecheck.mjs <folder>`: types of one package, and of what it imports, by the same rules as those of all.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder = '.'] = process.argv.slice(2);
const directory = resolve('node_modules/.cache/typecheck');
const file = join(directory, `${folder.replaceAll('/', '-')}.json`);
mkdirSync(directory, { recursive: true });
/** A package for browsers has types of its own, and says so beside its manifest; the rest of it is checked as all are. */
const forBrowsers = resolve(folder, 'tsconfig.json');
const include = [resolve(folder, '**/*.ts')];
const exclude = [resolve(folder, '**/node_modules'), resolve(folder, 'web'), resolve(folder, 'vite.config.ts')];
writeFileSync(file, JSON.stringify({ extends: resolve('tsconfig.base.json'), include, exclude, files: [] }));
const check = (config) =>
  spawnSync('node_modules/.bin/tsc', ['--noEmit', '-p', config], { stdio: 'inherit' }).status ?? 1;
process.exit(
  [file, ...(folder !== '.' && existsSync(forBrowsers) ? [forBrowsers] : [])]
    .map(check)
    .find((status) => status !== 0) ?? 0,
);
