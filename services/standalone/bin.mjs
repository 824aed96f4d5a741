#!/usr/bin/env node
// `messaging-gateway <verb>`: in a clone installs first what is missing; in the image all is there. Runs on Node.js 20 or later.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [setup, ownNode] = [at('../../tools/setup.mjs'), at('../../node_modules/.bin/node')];
if (existsSync(setup)) {
  // Standard output is for the answer.
  const { status } = spawnSync(process.execPath, [setup], { stdio: ['inherit', 2, 2] });
  if (status !== 0) process.exit(1);
}
const node = existsSync(ownNode) ? ownNode : process.execPath;
const words = ['--disable-warning=ExperimentalWarning', at('src/operator/main.ts'), ...process.argv.slice(2)];
const child = spawn(node, words, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
