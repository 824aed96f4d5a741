import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { openDatabase } from '@messaging-gateway/service';
import { testDatabase } from '@messaging-gateway/testing';
import { sessions } from '../index.ts';

it('leases of an older installation keep their epochs, which session data remembers, and name nobody', async () => {
  const { url, drop } = await testDatabase();
  const open = (migrations: typeof sessions.migrations) =>
    openDatabase({ url, schema: 'sessions', migrations, log: silentLogger });
  const before = await open(sessions.migrations.slice(0, 1));
  const [key, organizationId] = [randomUUID(), randomUUID()];
  await before.sql.query(`INSERT INTO leases VALUES ($1, $2, $1, 7, now())`, [key, organizationId]);
  await before.close();
  const after = await open(sessions.migrations);
  expect(await after.sql.query('SELECT key, organization_id, replica_id, epoch FROM leases')).toEqual([
    { key, organization_id: organizationId, replica_id: null, epoch: '7' },
  ]);
  await after.close();
  await drop();
});
