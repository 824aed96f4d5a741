import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import { command, databaseOf, restoreInto } from './embedded.ts';
import { password, registered, type Person } from './person.ts';
import type { World } from './world.ts';

interface Invited {
  readonly id: string;
  readonly temporaryPassword: string;
}

/** A backup from before somebody became Owner, restored after the Owners of then were erased. */
export function lastOwner(at: () => World): void {
  describe('an organization whose last Owner of the backup is erased again', () => {
    let world: World;
    beforeAll(() => {
      world = at();
    });

    const data = (): string => world.dataDirectory;
    const invite = async (owner: Person, email: string, role: string): Promise<Invited> =>
      (await owner.call<Invited>('POST', '/organizations/members', { email, name: 'A member', role })).body;
    const roleOf = async (email: string, given: string): Promise<string> => {
      const { body } = await world.gateway.call<{ user: { role: string } }>('POST', '/auth/login', {
        email,
        password: given,
      });
      return body.user.role;
    };

    it('has those as Owners who were so then, or one whom the operator names', async () => {
      const first = await registered(world, 'first@engines.example', 'First', 'Engines');
      const second = await invite(first, 'second@engines.example', 'Admin');
      const third = await registered(world, 'third@looms.example', 'Third', 'Looms');
      const fourth = await invite(third, 'fourth@looms.example', 'Viewer');
      const backup = join(world.directory, 'owners.backup');
      await command('backup', { DATA_DIR: data() }, backup);

      expect((await first.call('PUT', `/organizations/members/${second.id}/role`, { role: 'Owner' })).status).toBe(200);
      await invite(third, 'later@looms.example', 'Owner');
      const leaving = [first, third];
      const me = leaving.map(async (person) => (await person.call<{ id: string }>('GET', '/auth/me')).body.id);
      const ids = await Promise.all(me);
      for (const gone of leaving) expect((await gone.call('DELETE', '/auth/account', { password })).status).toBe(204);
      const database = databaseOf(data());
      await eventually(async () => {
        const { rows } = await database.query(
          'SELECT 1 FROM identity.user_erasures WHERE times > 0 AND user_id = ANY ($1)',
          [ids],
        );
        return rows.length === ids.length ? true : undefined;
      });
      await database.end();
      await world.gateway.stop();

      const moved = join(world.directory, 'moved-with-owners');
      const said = await restoreInto(moved, data(), backup);
      expect(said.match(/has no Owner now: npm run user -- make-owner/g)).toHaveLength(1);
      await world.restart({ DATA_DIR: moved, SESSIONS_DIR: world.sessionsDirectory });
      expect(await roleOf('second@engines.example', second.temporaryPassword)).toBe('Owner');
      expect(await roleOf('fourth@looms.example', fourth.temporaryPassword)).toBe('Viewer');
      await command('user', { DATA_DIR: moved }, 'make-owner', 'fourth@looms.example');
      expect(await roleOf('fourth@looms.example', fourth.temporaryPassword)).toBe('Owner');
      await expect(command('user', { DATA_DIR: moved }, 'make-owner', 'second@engines.example')).rejects.toThrow(
        'The organization has an Owner.',
      );
    }, 900_000);
  });
}
