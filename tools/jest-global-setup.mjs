import { writeFileSync } from 'node:fs';
import { openServerRun } from '@messaging-gateway/testing';

/** PostgreSQL at once, other servers when a test first asks for them; each test makes databases and the like of its own. */
export default async function setup() {
  const run = await openServerRun();
  globalThis.testServers = run;
  if (process.env.TEST_SERVERS_REPORT !== undefined)
    writeFileSync(process.env.TEST_SERVERS_REPORT, run.missing.join('\n'));
  if (process.env.TEST_SERVERS_REQUIRED !== 'true' || run.missing.length === 0) return;
  await run.close();
  throw new Error(run.missing.join('\n'));
}
