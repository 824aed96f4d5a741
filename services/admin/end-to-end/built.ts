import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const building = `
  import { buildPages } from './tools/build-pages.mjs';
  process.exit(buildPages(process.cwd(), process.execPath) ? 0 : 1);
`;

/** Builds the pages as the set-up does, where their sources have changed. @returns the folder of the built files */
export function buildPages(): string {
  const env = { PATH: process.env['PATH'] ?? '' };
  execFileSync(process.execPath, ['--input-type=module', '--eval', building], { cwd: root, stdio: 'pipe', env });
  return fileURLToPath(new URL('../dist', import.meta.url));
}
