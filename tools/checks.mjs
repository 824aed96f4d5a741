import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ended } from './ended.mjs';

/** @typedef {readonly [name: string, command: string, args: readonly string[]]} Check */

const bin = (name) => join('node_modules', '.bin', name);

/** What has not changed since the last run is not looked at again. */
const types = (project, name) => {
  const kept = `node_modules/.cache/tsc/${name}.tsbuildinfo`;
  return ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', kept];
};

/** @type {readonly Check[]} */
export const typeChecks = [
  ['types', bin('tsc'), types('.', 'project')],
  ['types of pages', bin('tsc'), types('services/admin', 'pages')],
];

/** @type {readonly Check[]} */
export const allChecks = [
  ...typeChecks,
  ['lint', bin('oxlint'), ['--type-aware']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['unused code', bin('knip'), []],
];

/**
 * One after the other: each of them uses all cores. Says of each how it ended.
 *
 * @param {readonly Check[]} checks
 * @returns the names of those that failed
 */
export async function runChecks(checks) {
  const failed = [];
  for (const check of checks) if (!(await passes(check))) failed.push(check[0]);
  return failed;
}

async function passes([name, command, args]) {
  const { status, output } = await ended(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  console.log(status === 0 ? `ok   ${name}` : `FAIL ${name}`);
  if (status !== 0) console.log(output);
  return status === 0;
}
