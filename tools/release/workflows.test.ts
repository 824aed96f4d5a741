import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { programOf } from '../kubernetes/programs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const actionlint = programOf('actionlint');
const itLinted = actionlint === undefined ? it.skip : it;

describe('workflows', () => {
  const files = readdirSync(`${root}.github/workflows`).map((name) => `.github/workflows/${name}`);

  itLinted('are understood by the lint of their kind', async () => {
    const { stdout } = await promisify(execFile)(actionlint ?? '', ['-no-color', ...files], { cwd: root });
    expect(stdout).toBe('');
  });

  it('put no secret into a command line', () => {
    const texts = files.map((file) => readFileSync(root + file, 'utf8'));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes('secrets.'));
    expect(lines.filter((line) => !/^\s+\w+: \$\{\{ secrets\.\w+ \}\}$/.test(line))).toEqual([]);
  });

  it('release a version that has its entry in the changelog', () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly version: string };
    expect(readFileSync(`${root}CHANGELOG.md`, 'utf8')).toContain(`\n## ${version}\n`);
  });
});
