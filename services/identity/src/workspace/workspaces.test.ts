import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CreateRole,
  CreateWorkspace,
  DeleteRole,
  DeleteWorkspace,
  DescribeWorkspace,
  GetOrganization,
  GetRole,
  GetWorkspace,
  ListPermissions,
  ListRoles,
  ListWorkspaces,
  SeedRoles,
  UpdateOrganization,
  UpdateRole,
  UpdateWorkspace,
  permissions,
  type Caller,
  type Page,
} from '@messaging-gateway/contracts';
import { IdentityFixture } from '../identity.fixture.ts';
import { ownerRoleId } from '../organization/system-roles.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start();
});
afterAll(() => fixture.service.stop());

const refusal = (code: string) => expect.objectContaining({ code });
interface Named {
  id: string;
  name: string;
}

describe('the current organization', () => {
  it('is shown and renamed', async () => {
    const caller = await fixture.newCaller();
    expect((await fixture.service.call(GetOrganization, { caller })).body).toMatchObject({
      id: caller.organizationId,
      name: "Ada's organization",
    });
    const renamed = await fixture.service.call(UpdateOrganization, { caller, body: { name: ' Engines ' } });
    expect(renamed.body).toMatchObject({ id: caller.organizationId, name: 'Engines' });
  });
});

describe('workspaces', () => {
  const create = async (caller: Caller, body: { name: string; description?: string } = { name: 'Sales' }) =>
    (await fixture.service.call(CreateWorkspace, { caller, body })).body as Named;
  const list = async (caller: Caller, query: Record<string, unknown> = {}) =>
    (await fixture.service.call(ListWorkspaces, { caller, query })).body as Page<Named>;

  it('are made, changed, listed page by page and deleted', async () => {
    const caller = await fixture.newCaller();
    const { id } = await create(caller, { name: 'Sales', description: 'All' });
    const other = await create(caller, { name: 'Support' });
    const change = { caller, params: { id }, body: { description: null } };
    expect((await fixture.service.call(UpdateWorkspace, change)).body).toMatchObject({
      name: 'Sales',
      description: null,
    });
    const first = await list(caller, { limit: 2 });
    const second = await list(caller, { limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['Default', 'Sales', 'Support']);
    expect([first.total, second.nextCursor]).toEqual([3, null]);
    expect((await fixture.service.call(DeleteWorkspace, { caller, params: { id } })).status).toBe(204);
    await expect(fixture.service.call(GetWorkspace, { caller, params: { id } })).rejects.toEqual(refusal('NOT_FOUND'));
    expect((await list(caller)).items.map((one) => one.id)).toContain(other.id);
  });

  it('are not deleted while they hold accounts, nor is the first', async () => {
    const caller = await fixture.newCaller();
    const { id } = await create(caller);
    fixture.fullWorkspaces.add(id);
    const drop = (which: string) => fixture.service.call(DeleteWorkspace, { caller, params: { id: which } });
    await expect(drop(id)).rejects.toEqual(refusal('CONFLICT'));
    await expect(drop((await list(caller)).items[0]?.id ?? '')).rejects.toEqual(refusal('CONFLICT'));
    expect((await list(caller)).total).toBe(2);
  });

  it('of another organization are unknown', async () => {
    const [caller, stranger] = [await fixture.newCaller(), await fixture.newCaller()];
    const { id } = await create(caller);
    for (const asked of [
      fixture.service.call(GetWorkspace, { caller: stranger, params: { id } }),
      fixture.service.call(UpdateWorkspace, { caller: stranger, params: { id }, body: { name: 'x' } }),
      fixture.service.call(DeleteWorkspace, { caller: stranger, params: { id } }),
      fixture.service.ask(DescribeWorkspace, { organizationId: stranger.organizationId, workspaceId: id }),
    ]) {
      await expect(asked).rejects.toEqual(refusal('NOT_FOUND'));
    }
    expect((await list(stranger)).total).toBe(1);
  });
});

describe('roles', () => {
  it('are listed page by page, the system roles first', async () => {
    const caller = await fixture.newCaller();
    for (const name of ['one', 'two'])
      await fixture.service.call(CreateRole, { caller, body: { name, permissions: [], description: name } });
    const names: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { limit: 3, ...(cursor && { cursor }) };
      const page = (await fixture.service.call(ListRoles, { caller, query })).body as Page<Named>;
      expect(page.total).toBe(7);
      names.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(names).toEqual(['Owner', 'Admin', 'Manager', 'Operator', 'Viewer', 'one', 'two']);
    const all = (await fixture.service.call(ListPermissions, { caller })).body as Page<{ key: string }>;
    expect(all.items.map(({ key }) => key)).toEqual(permissions);
  });

  it('of another organization are unknown, and nobody edits those of all', async () => {
    const [caller, stranger] = [await fixture.newCaller(), await fixture.newCaller()];
    const made = await fixture.service.call(CreateRole, { caller, body: { name: 'one', permissions: [] } });
    const { id } = made.body as Named;
    for (const contract of [GetRole, DeleteRole] as const)
      await expect(fixture.service.call(contract, { caller: stranger, params: { id } })).rejects.toEqual(
        refusal('NOT_FOUND'),
      );
    const edit = { caller, params: { id: ownerRoleId }, body: { name: 'Boss' } };
    await expect(fixture.service.call(UpdateRole, edit)).rejects.toEqual(refusal('FORBIDDEN'));
    const drop = { caller, params: { id: ownerRoleId } };
    await expect(fixture.service.call(DeleteRole, drop)).rejects.toEqual(refusal('FORBIDDEN'));
  });

  it('are seeded for the own organization', async () => {
    const [caller, stranger] = [await fixture.newCaller(), await fixture.newCaller()];
    const seed = (id: string) => fixture.service.call(SeedRoles, { caller, params: { id } });
    expect((await seed(caller.organizationId)).body).toMatchObject({ total: 5 });
    await expect(seed(stranger.organizationId)).rejects.toEqual(refusal('NOT_FOUND'));
  });
});
