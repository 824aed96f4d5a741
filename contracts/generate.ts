import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generation/files.ts';

const root = new URL('../', import.meta.url);

rmSync(new URL('contracts/generated/schemas', root), { recursive: true, force: true });
for (const [path, text] of generatedFiles()) {
  const target = fileURLToPath(new URL(path, root));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
