import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { mediaKey } from '@messaging-gateway/contracts';
import { png, sourceOf } from '@messaging-gateway/media/testing';
import { eventually, testDatabase } from '@messaging-gateway/testing';
import { startTestGateway } from '../testing/test-gateway.ts';

it('uploads are deleted after their time, and nothing else is', async () => {
  const database = await testDatabase();
  const environment = { UPLOAD_RETENTION_DAYS: '2' };
  const gateway = await startTestGateway({ databaseUrl: database.url, environment });
  const [organizationId, profileId] = [randomUUID(), randomUUID()];
  const upload = mediaKey({ organizationId }, randomUUID());
  const received = mediaKey({ organizationId, profileId }, randomUUID());
  for (const key of [upload, received]) await gateway.media.put(key, sourceOf(png(100)));
  gateway.clock.advance(26 * 3_600_000);
  gateway.clock.advance(26 * 3_600_000);
  await eventually(async () => {
    gateway.clock.advance(24 * 3_600_000);
    return (await gateway.media.facts(upload)) === undefined ? true : undefined;
  });
  expect(await gateway.media.facts(received)).toBeDefined();
  await gateway.stop();
  await database.drop();
});
