import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AssignRole,
  CreateRole,
  DeleteRole,
  UpdateRole,
  type Caller,
  type Permission,
} from '@messaging-gateway/contracts';
import { IdentityFixture } from '../identity.fixture.ts';
import { systemRoleEntries } from './system-roles.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start({ replicas: 2 });
});
afterAll(() => fixture.service.stop());

const refusal = (code: string) => expect.objectContaining({ code });

describe('roles of an organization', () => {
  const create = async (caller: Caller, name: string, permissions: Permission[]) =>
    (await fixture.service.call(CreateRole, { caller, body: { name, permissions } })).body as { id: string };

  it('allow what they say at once, and are not deleted while somebody has them', async () => {
    const owner = await fixture.newCaller();
    const { id } = await create(owner, 'Support', ['message:read', 'user:read']);
    const { invited, person } = await fixture.memberOf(owner, 'support');
    expect((await fixture.callerOf(person)).permissions).toEqual(['message:read', 'user:read']);
    const update = { caller: owner, params: { id }, body: { permissions: ['message:send' as const] } };
    expect((await fixture.service.call(UpdateRole, update)).body).toMatchObject({ permissions: ['message:send'] });
    expect((await fixture.callerOf(person)).permissions).toEqual(['message:send']);
    const drop = () => fixture.service.call(DeleteRole, { caller: owner, params: { id } });
    await expect(drop()).rejects.toEqual(refusal('CONFLICT'));
    const viewer = systemRoleEntries.at(-1)?.roleId ?? '';
    await fixture.service.call(AssignRole, { caller: owner, body: { userId: invited.id, roleId: viewer } });
    expect((await drop()).status).toBe(204);
  });

  it('have one name each, when many are made at the same moment', async () => {
    const owner = await fixture.newCaller();
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => create(owner, 'Support', ['message:read'])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('cannot lift anybody beyond what the lifter has', async () => {
    const owner = await fixture.newCaller();
    await create(owner, 'Roles', ['role:manage', 'user:read', 'user:invite']);
    const { invited, caller } = await fixture.memberOf(owner, 'Roles');
    await expect(fixture.changeRole(caller, invited.id, 'Owner')).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(create(caller, 'Sender', ['message:send'])).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(fixture.changeRole(caller, owner.userId, 'Roles')).rejects.toEqual(refusal('CONFLICT'));
    await expect(fixture.invite(caller, 'Viewer')).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(fixture.invite(caller, 'Roles')).resolves.toMatchObject({ role: 'Roles' });
  });
});
