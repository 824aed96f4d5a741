import { rmSync } from 'node:fs';

/** Ends the run's PostgreSQL and removes its folder. */
export default async function teardown() {
  if (globalThis.testPostgres === undefined) return;
  await globalThis.testPostgres.server.stop();
  rmSync(globalThis.testPostgres.directory, { recursive: true, force: true });
}
