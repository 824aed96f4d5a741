// `typecheck.mjs <folder>`: types of one package, and of what it imports, by the same rules as those of all.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder = '.'] = process.argv.slice(2);
const directory = resolve('node_modules/.cache/typecheck');
const file = join(directory, `${folder.replaceAll('/', '-')}.json`);
mkdirSync(directory, { recursive: true });
writeFileSync(file, JSON.stringify({ extends: resolve('tsconfig.base.json'), include: [resolve(folder, '**/*.ts')] }));
process.exit(spawnSync('node_modules/.bin/tsc', ['--noEmit', '-p', file], { stdio: 'inherit' }).status ?? 1);
