// The stages of `.ci/run`: each appends a line of JSON to the file that `CI_STAGES` names, with its name from `TEST_STAGE`.
// `node tools/ci-stages.mjs record <seconds>` appends a stage without tests, `node tools/ci-stages.mjs table` prints them all and,
// in the last line, the sum of their tests.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** @param result `seconds`, and of a stage with tests the numbers `passed`, `failed`, `skipped` and `notRun` */
export function recordStage(result) {
  const { CI_STAGES: file, TEST_STAGE: stage = 'tests' } = process.env;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ stage, ...result })}\n`);
}

function table() {
  const file = process.env.CI_STAGES ?? '';
  const stages = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const columns = ['stage', 'seconds', 'passed', 'failed', 'skipped', 'notRun', 'retries'];
  const rows = stages.map((stage) => ({
    ...stage,
    seconds: Math.round(stage.seconds),
    ...(stage.passed !== undefined && { retries: 0 }),
  }));
  const cells = [['stage', 'seconds', 'passed', 'failed', 'skipped', 'not run', 'retries']];
  for (const row of rows) cells.push(columns.map((column) => String(row[column] ?? '')));
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index].length)));
  const line = (row) =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index]))).join('  ');
  const sum = (column) => rows.reduce((total, row) => total + (row[column] ?? 0), 0);
  console.log(cells.map(line).join('\n'));
  console.log(`Tests: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , command, seconds] = process.argv;
  if (command === 'record') recordStage({ seconds: Number(seconds) });
  if (command === 'table') table();
}
