import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testCaller } from '@messaging-gateway/service/testing';
import { laterTest, type LaterTest } from '../testing/later-test.ts';

let test: LaterTest;
beforeAll(async () => void (test = await laterTest({ durableSend: true, sendConcurrency: 2 })));
afterAll(() => test.stop());

describe('durable deliveries of several tenants', () => {
  it('do not wait for the slow profiles of one of them', async () => {
    const caller = testCaller();
    const slow = await Promise.all(Array.from({ length: 8 }, () => test.profile({ caller })));
    const quick = await test.profile();
    test.network.script.push('silent', 'silent');
    for (const profile of slow) await profile.send('slow');
    await test.passUntil(() => test.network.handed.length === 2, 0);
    const since = test.service.clock.now();
    await quick.send('quick');
    await test.passUntil(() => test.textsOf(quick).length === 1, 50);
    expect(test.service.clock.now() - since).toBeLessThanOrEqual(1000);
    test.network.end();
    await test.passUntil(() => slow.every((profile) => test.textsOf(profile).length === 1), 50);
  });
});
