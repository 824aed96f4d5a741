import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import { command, databaseOf, restoreInto } from './embedded.ts';
import { password, registered, type Person } from './person.ts';
import { startWorld, type World } from './world.ts';

interface Invited {
  readonly id: string;
  readonly temporaryPassword: string;
}

describe('an organization whose last Owner of the backup is erased again', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  }, 900_000);
  afterAll(() => world.end());

  const data = (): string => join(world.directory, 'data');
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
    await command('backup', { DATA_DIR: data() }, join(world.directory, 'backup'));

    expect((await first.call('PUT', `/organizations/members/${second.id}/role`, { role: 'Owner' })).status).toBe(200);
    await invite(third, 'later@looms.example', 'Owner');
    for (const gone of [first, third])
      expect((await gone.call('DELETE', '/auth/account', { password })).status).toBe(204);
    const database = databaseOf(data());
    await eventually(async () => {
      const { rows } = await database.query('SELECT 1 FROM identity.user_erasures WHERE times > 0');
      return rows.length === 2 ? true : undefined;
    });
    await database.end();
    await world.gateway.stop();

    const moved = join(world.directory, 'moved');
    const said = await restoreInto(moved, data(), join(world.directory, 'backup'));
    expect(said.match(/has no Owner now: npm run user -- make-owner/g)).toHaveLength(1);
    await world.restart({ DATA_DIR: moved, SESSIONS_DIR: join(data(), 'sessions') });
    expect(await roleOf('second@engines.example', second.temporaryPassword)).toBe('Owner');
    expect(await roleOf('fourth@looms.example', fourth.temporaryPassword)).toBe('Viewer');
    await command('user', { DATA_DIR: moved }, 'make-owner', 'fourth@looms.example');
    expect(await roleOf('fourth@looms.example', fourth.temporaryPassword)).toBe('Owner');
    await expect(command('user', { DATA_DIR: moved }, 'make-owner', 'second@engines.example')).rejects.toThrow(
      'The organization has an Owner.',
    );
  }, 900_000);
});
