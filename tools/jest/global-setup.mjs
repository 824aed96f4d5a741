import { writeFileSync } from 'node:fs';
import { missingBrowser, openServerRun } from '@messaging-gateway/testing';
import { missingCluster, missingHelm } from '../kubernetes/programs.ts';

/**
 * PostgreSQL at once, other servers when a test first asks for them; each test makes databases and the like of its own.
 * `TEST_SERVERS_REPORT` names a file for what is missing; with `TEST_SERVERS_REQUIRED=true` that ends the run.
 */
export default async function setup() {
  const run = await openServerRun();
  globalThis.testServers = run;
  const docker = run.docker ? [] : ['Docker does not answer: nothing is tried in containers'];
  const missing = [...run.missing, missingBrowser(), missingHelm(), missingCluster()].filter(
    (line) => line !== undefined,
  );
  const lines = [...missing, ...run.untouchable, ...docker];
  if (process.env.TEST_SERVERS_REPORT !== undefined) writeFileSync(process.env.TEST_SERVERS_REPORT, lines.join('\n'));
  if (process.env.TEST_SERVERS_REQUIRED !== 'true' || missing.length === 0) return;
  await run.close();
  throw new Error(missing.join('\n'));
}
