import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CloseWorkspace,
  CreateAccount,
  DeleteAccount,
  DescribeWorkspace,
  ListAccounts,
  type Caller,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { sessionsTest, type SessionsTest } from '../testing/sessions-test.ts';

let test: SessionsTest;
let service: TestService;
/** Organizations of workspaces, as identity knows them. */
const workspaces = new Map<string, string>();

beforeAll(async () => {
  test = await sessionsTest();
  service = test.service;
  await service.fake(DescribeWorkspace, ({ organizationId, workspaceId }) => {
    if (workspaces.get(workspaceId) !== organizationId) throw new Refused('NOT_FOUND', 'There is no such workspace.');
    return { workspaceId };
  });
});
afterAll(() => test.stop());

async function organization(): Promise<{ caller: Caller; workspaceId: string }> {
  const [caller, workspaceId] = [await test.organization(), v7()];
  workspaces.set(workspaceId, caller.organizationId);
  return { caller, workspaceId };
}
const create = (caller: Caller, workspaceId: string) =>
  service.call(CreateAccount, { caller, body: { name: 'Sales', workspaceId } });
const close = ({ organizationId }: Caller, workspaceId: string) =>
  service.ask(CloseWorkspace, { organizationId, workspaceId });
const count = async (caller: Caller, workspaceId: string) =>
  ((await service.call(ListAccounts, { caller, query: { workspaceId } })).body as { total: number }).total;

describe('a workspace', () => {
  it('takes accounts of its own organization only', async () => {
    const [one, other] = [await organization(), await organization()];
    expect((await create(one.caller, one.workspaceId)).body).toMatchObject({ workspaceId: one.workspaceId });
    await expect(create(other.caller, one.workspaceId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(create(one.caller, v7())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is closed only while it holds no account, and then takes none', async () => {
    const { caller, workspaceId } = await organization();
    const { id } = (await create(caller, workspaceId)).body as { id: string };
    expect(await close(caller, workspaceId)).toEqual({ closed: false });
    await service.call(DeleteAccount, { caller, params: { id } });
    for (const _ of [1, 2]) expect(await close(caller, workspaceId)).toEqual({ closed: true });
    await expect(create(caller, workspaceId)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('that nobody has used is closed too', async () => {
    const { caller, workspaceId } = await organization();
    expect(await close(caller, workspaceId)).toEqual({ closed: true });
  });

  it('is either closed or holds an account, when both are asked at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { caller, workspaceId } = await organization();
      const [made, { closed }] = await Promise.all([
        create(caller, workspaceId).then(
          () => true,
          () => false,
        ),
        close(caller, workspaceId),
      ]);
      expect([made, closed, await count(caller, workspaceId)]).toEqual([made, !made, made ? 1 : 0]);
    }
  });
});
