import { afterAll, beforeAll } from '@jest/globals';
import { describeWithBrowser } from '@messaging-gateway/testing';
import { startAdminWorld, type AdminWorld } from './world.ts';

/** What some people do with some pages, in a world that is started before. */
type Suite = (at: () => AdminWorld) => void;

/** The suites of one test file: one gateway, one network, one browser for all of them; each suite has people of its own. */
export function describePages(suites: readonly Suite[]): void {
  describeWithBrowser('the admin web UI', (program) => {
    let world: AdminWorld;
    beforeAll(async () => {
      world = await startAdminWorld(program);
    }, 600_000);
    afterAll(() => world?.end());
    for (const suite of suites) suite(() => world);
  });
}
