import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { png } from '@messaging-gateway/media/testing';
import { testDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway } from '../testing/test-gateway.ts';

it('an upload is refused when the organization has as much as it may, and what is taken back counts no more', async () => {
  const database = await testDatabase();
  const small = await startTestGateway({ databaseUrl: database.url, environment: { QUOTA_MEDIA_MIB: '1' } });
  await small.own('RecordAction', async () => ({ status: 200, body: {} }));
  const mineToo = { organizationId: randomUUID(), permissions: ['message:send'] };
  const { token: mine } = small.identity.signIn(small.clock, mineToo);
  const { token: others } = small.identity.signIn(small.clock, { permissions: ['message:send'] });
  const put = (who: string, name = 'file') => {
    const head = `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n\r\n`;
    const raw = Buffer.concat([Buffer.from(head), png(600_000), Buffer.from('\r\n--x--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    return call(small, 'POST', '/uploads/media', { token: who, raw, headers });
  };
  try {
    expect((await put(mine, 'other')).status).toBe(400);
    expect((await put(mine)).status).toBe(201);
    const refused = await put(mine);
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      409,
      'QUOTA_REACHED',
      { quota: 'MiB of media', limit: 1 },
    ]);
    expect((await put(others)).status).toBe(201);
    small.clock.advance(402 * 86_400_000);
    const { token: later } = small.identity.signIn(small.clock, mineToo);
    expect((await put(later)).status).toBe(201);
  } finally {
    await small.stop();
    await database.drop();
  }
});
