// `npm run check`: looks at the sources and at what is generated from them, not at what the program does: types, lint, format, unused
// code, and the tests named `*.check.test.ts`. One after the other, since each uses all cores.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { recordStage } from './ci-stages.mjs';
import { ended } from './ended.mjs';
import { runJest } from './jest/run.mjs';

const bin = (name) => join('node_modules', '.bin', name);

/** Results are stored, and what has not changed since the last run is not checked again. */
const types = (project, name) => {
  const stored = `node_modules/.cache/tsc/${name}.tsbuildinfo`;
  return ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', stored];
};

/** @type {readonly (readonly [name: string, command: string, args: readonly string[]])[]} */
const checks = [
  ['types', bin('tsc'), types('.', 'project')],
  ['types of pages', bin('tsc'), types('services/admin', 'pages')],
  ['lint', bin('oxlint'), ['--type-aware']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['unused code', bin('knip'), []],
];

const begun = performance.now();
let failedChecks = 0;
for (const [name, command, args] of checks) {
  const since = performance.now();
  const { status, output } = await ended(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
  if (status !== 0) {
    failedChecks += 1;
    console.log(output);
  }
}
const { files, ok } = await runJest(['\\.check\\.test\\.ts$'], { ...process.env, NODE_ENV: 'test' });
const results = [...files.values()];
const passed = results.reduce((sum, file) => sum + file.passed, 0) + checks.length - failedChecks;
const failed = results.reduce((sum, file) => sum + file.failed.length, 0) + failedChecks;
recordStage({ seconds: (performance.now() - begun) / 1000, passed, failed, skipped: 0, notRun: 0 });
console.log(`Checks: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 && ok ? 0 : 1);
