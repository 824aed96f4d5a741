import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, findTexts, linkProfile, register, type Tenant } from '@messaging-gateway/testing';
import type { Pool } from 'pg';
import { command, databaseOf } from './embedded.ts';
import type { World } from './world.ts';

/** Events that a consumer cannot handle, and the command for them. @param metricsPort `METRICS_PORT` of the gateway */
export function deadLetters(at: () => World, metricsPort: () => number): void {
  describe('an event that cannot be handled', () => {
    let pool: Pool;
    let world: World;
    let tenant: Tenant;

    beforeAll(async () => {
      world = at();
      pool = databaseOf(world.dataDirectory);
      tenant = await register(world);
    }, 600_000);
    afterAll(() => pool.end());

    const run = (...args: string[]): Promise<string> =>
      command('dead-letters', { DATA_DIR: world.dataDirectory }, ...args);
    const metric = async (line: string): Promise<number> => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort()}/metrics`)).text();
      return Number(
        text
          .split('\n')
          .find((one) => one.startsWith(`${line} `))
          ?.split(' ')[1] ?? 'NaN',
      );
    };
    const loggedKinds = async (): Promise<string[]> => {
      const answer = await tenant.call<{ items: { event: string }[] }>('GET', '/events');
      return answer.body.items.map(({ event }) => event);
    };

    it('is counted, listed without its content, shown, put back and handled', async () => {
      await pool.query('ALTER TABLE webhooks.log_heads rename to log_heads_away');
      const profile = await tenant.call<{ id: string }>('POST', '/profiles', { name: 'Sales' });
      await tenant.call('POST', `/profiles/${profile.body.id}/connect`);
      await eventually(async () => {
        world.moveClock(1000);
        const given = await metric('dead_letters_total{service="webhooks",name="connection.update"}');
        return given > 0 && (await metric('dead_letters{service="webhooks"}')) > 0 ? true : undefined;
      }, 300_000);
      await tenant.call('POST', `/profiles/${profile.body.id}/disconnect`);

      const list = await run('list', 'webhooks');
      expect(list).toMatch(/webhooks {2}connection\.(update|qr) /);
      expect(list).not.toContain('"qr"');
      const [, id = ''] = /webhooks {2}connection\.update {2}(\S+)/.exec(list) ?? [];
      expect(JSON.parse(await run('show', id))).toMatchObject({ id, envelope: { type: 'connection.update' } });
      await expect(run('put-back', 'nobody', '--all')).rejects.toThrow('There is no service "nobody"');

      await pool.query('ALTER TABLE webhooks.log_heads_away rename to log_heads');
      expect(await run('put-back', 'webhooks', '--all')).toContain('put back');
      await eventually(async () => {
        const { rows } = await pool.query<{ waits: boolean }>(
          'SELECT put_back_at IS NULL AS waits FROM webhooks.dead_letters',
        );
        // What was at its last attempt while the table was away has been given up only now.
        if (rows.some(({ waits }) => waits)) await run('put-back', 'webhooks', '--all');
        return rows.length === 0 ? true : undefined;
      }, 300_000);
      await eventually(async () => ((await metric('dead_letters{service="webhooks"}')) === 0 ? true : undefined));
      expect(await loggedKinds()).toContain('connection.update');
    }, 900_000);

    it('is erased with the organization that it is about, and others stay', async () => {
      const [leaving, staying] = [await register(world), await register(world)];
      const [phone, kept] = ['4915112345911', '4915112345912'];
      const letters = async (): Promise<string[]> =>
        (await findTexts(pool, [phone, kept]))
          .filter(({ table }) => table.endsWith('.dead_letters'))
          .map(({ text }) => text);
      await pool.query('ALTER TABLE webhooks.log_heads rename to log_heads_away');
      await linkProfile(world, leaving, phone);
      await linkProfile(world, staying, kept);
      await eventually(async () => {
        world.moveClock(1000);
        return new Set(await letters()).size === 2 ? true : undefined;
      }, 300_000);
      await pool.query('ALTER TABLE webhooks.log_heads_away rename to log_heads');
      const { id: userId } = (await leaving.call<{ id: string }>('GET', '/auth/me')).body;
      const gone = await leaving.call('DELETE', '/account/delete', { password: 'correct horse battery' });
      expect(gone.status).toBe(202);
      for (const times of [1, 2]) {
        await eventually(async () => {
          const erased = 'SELECT FROM identity.user_erasures WHERE user_id = $1 AND times >= $2';
          const { rows } = await pool.query(erased, [userId, times]);
          return rows.length > 0 ? true : undefined;
        }, 300_000);
        world.moveClock(600_000); // facts that were on their way are erased by the second time
      }
      expect(await findTexts(pool, [phone])).toEqual([]);
      expect([...new Set(await letters())]).toEqual([kept]);
    }, 900_000);

    it('can be forgotten', async () => {
      await pool.query(
        `INSERT INTO inbox.dead_letters (consumer, name, id, key, reason, envelope)
       VALUES ('inbox', 'message.received', 'letter-1', 'k', 'TypeError: said +4915112345678', '{}')`,
      );
      const list = await run('list');
      expect(list).toContain('inbox  message.received  letter-1  -  TypeError\n');
      expect(list).not.toContain('4915112345678');
      expect(await run('forget', 'inbox', 'letter-1')).toContain('1 forgotten.');
      expect((await pool.query('SELECT FROM inbox.dead_letters')).rows).toEqual([]);
    }, 600_000);
  });
}
