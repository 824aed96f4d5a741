import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AddGroupParticipants,
  CreateGroup,
  DemoteGroupParticipants,
  GetGroup,
  GetInviteLink,
  GroupParticipants,
  GroupUpdated,
  LeaveGroup,
  ListGroups,
  NamePeople,
  PromoteGroupParticipants,
  RemoveGroupParticipants,
  RevokeInviteLink,
  SessionGroupNamed,
  UpdateGroup,
  type Caller,
  type Operation,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

describe('groups of a profile', () => {
  const phone = '4915120000600';
  const [anna, ben, carla, dora] = ['4915100000600', '4915100000601', '4915100000602', '4915100000603'] as const;
  let test: SessionsTest;
  let caller: Caller;
  let profileId: string;
  beforeAll(async () => {
    test = await sessionsTest();
    caller = await test.organization();
    profileId = (await test.linked(caller, phone)).id;
    await test.service.fake(NamePeople, ({ jids }) => ({
      names: jids.includes(`${anna}@c.us`) ? { [`${anna}@c.us`]: 'Anna' } : {},
    }));
    await test.simulator.configureContact(dora, { refuseGroups: 403 });
  });
  afterAll(() => test.stop());

  type Asked = { groupId?: string; body?: object; by?: Caller; profile?: string };
  const call = async (contract: Operation, { groupId, body, by = caller, profile = profileId }: Asked = {}) => {
    const hasBody = contract.body !== undefined;
    const answer = await test.service.call(contract, {
      caller: by,
      params: contract.name === 'ListGroups' ? { profileId: profile } : groupId === undefined ? {} : { groupId },
      ...(hasBody ? { body: { profileId: profile, ...body } } : { query: { profileId: profile } }),
    });
    return answer.body as Record<string, unknown>;
  };
  const make = async (name: string, ...participants: string[]): Promise<string> =>
    (await call(CreateGroup, { body: { name, participants } }))['id'] as string;
  const participants = [anna, `+${ben.slice(0, 2)} ${ben.slice(2)}`, carla, dora, anna];

  it('are made, and tell who was let in and who was not', async () => {
    const made = await call(CreateGroup, { body: { name: 'Choir', participants, description: 'On Tuesdays' } });
    expect(made).toMatchObject({
      name: 'Choir',
      description: 'On Tuesdays',
      owner: `${phone}@c.us`,
      participantsCount: 4,
      results: [
        { phone: anna, status: 200 },
        { phone: ben, status: 200 },
        { phone: carla, status: 200 },
        { phone: dora, status: 403, message: expect.stringContaining('invite link') },
      ],
    });
    const seen = await test.simulator.group(made['id'] as string);
    expect(seen).toMatchObject({ subject: 'Choir', description: 'On Tuesdays' });
    expect(seen.members.map((member) => member.phone)).toEqual([phone, anna, ben, carla]);
  });

  it('are listed by name without participants, and read with them', async () => {
    const id = await make('A group', anna);
    const list = (await call(ListGroups)) as unknown as Record<string, unknown>[];
    expect(list[0]).toEqual({
      id,
      name: 'A group',
      description: '',
      owner: `${phone}@c.us`,
      createdAt: expect.stringMatching(/Z$/),
      participantsCount: 2,
    });
    const group = await call(GetGroup, { groupId: id });
    expect(group['participants']).toEqual([
      { id: `${phone}@c.us`, phone, pushName: expect.any(String), isAdmin: true, isSuperAdmin: true },
      { id: `${anna}@c.us`, phone: anna, pushName: 'Anna', isAdmin: false, isSuperAdmin: false },
    ]);
  });

  it('get another name and description, and lose the description', async () => {
    const groupId = await make('Old name', anna);
    const changed = await call(UpdateGroup, { groupId, body: { name: 'New name', description: 'What for' } });
    expect(changed).toMatchObject({ name: 'New name', description: 'What for', participantsCount: 2 });
    expect(await call(UpdateGroup, { groupId, body: { description: '' } })).toMatchObject({ description: '' });
    expect(await test.simulator.group(groupId)).toMatchObject({ subject: 'New name', description: undefined });
    await expect(call(UpdateGroup, { groupId })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('change who is in them and as what, each person by itself', async () => {
    const groupId = await make('Board', anna);
    const change = async (contract: Operation, ...people: string[]) =>
      (await call(contract, { groupId, body: { participants: people } }))['results'];
    expect(await change(AddGroupParticipants, ben, anna, dora)).toMatchObject([
      { phone: ben, status: 200 },
      { phone: anna, status: 409, message: expect.any(String) },
      { phone: dora, status: 403 },
    ]);
    expect(await change(PromoteGroupParticipants, ben, carla)).toMatchObject([{ status: 200 }, { status: 404 }]);
    expect((await test.simulator.group(groupId)).members).toContainEqual({ phone: ben, rank: 'admin' });
    expect(await change(DemoteGroupParticipants, ben, phone)).toMatchObject([{ status: 200 }, { status: 406 }]);
    expect(await change(RemoveGroupParticipants, anna)).toEqual([{ phone: anna, status: 200 }]);
    expect((await test.simulator.group(groupId)).members).toEqual([
      { phone, rank: 'superadmin' },
      { phone: ben, rank: 'member' },
    ]);
  });

  it('are joined by their link until it is revoked, and left', async () => {
    const groupId = await make('Open');
    const { link } = await call(GetInviteLink, { groupId });
    const codeOf = (url: unknown): string => new URL(url as string).pathname.slice(1);
    await test.simulator.joinGroup(anna, codeOf(link));
    const renewed = await call(RevokeInviteLink, { groupId });
    await expect(test.simulator.joinGroup(ben, codeOf(link))).rejects.toMatchObject({ code: 'GROUP_410' });
    await test.simulator.joinGroup(ben, codeOf(renewed['link']));
    expect(await call(LeaveGroup, { groupId })).toEqual({ id: groupId });
    expect((await test.simulator.group(groupId)).members.map((member) => member.phone)).toEqual([anna, ben]);
    await expect(call(GetGroup, { groupId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('say what the network does not allow', async () => {
    const { id: groupId } = await test.simulator.createGroup({ owner: anna, subject: 'Hers', participants: [phone] });
    const body = { participants: [ben] };
    await expect(call(AddGroupParticipants, { groupId, body })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(call(GetInviteLink, { groupId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const unknown = { groupId: '120363999999999999@g.us' };
    await expect(call(GetGroup, unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(call(LeaveGroup, unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are not there for others, and not without a connection', async () => {
    const groupId = await make('Ours', anna);
    const limited = { ...caller, profileIds: ['0198c0de-0000-7000-8000-000000000009'] };
    const contracts: Operation[] = [ListGroups, GetGroup, UpdateGroup, LeaveGroup, GetInviteLink, RevokeInviteLink];
    const body = { name: 'Theirs' };
    for (const contract of contracts) {
      const asked = { groupId, ...(contract === UpdateGroup && { body }) };
      await expect(call(contract, { ...asked, by: testCaller() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(call(contract, { ...asked, by: limited })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await test.simulator.group(groupId)).toMatchObject({
      subject: 'Ours',
      members: [{ phone }, { phone: anna }],
    });
    const { id: profile } = await test.create(caller);
    await expect(call(ListGroups, { profile })).rejects.toMatchObject({ code: 'PROFILE_NOT_CONNECTED' });
  });

  it('tell what others do to them', async () => {
    const { id } = await test.simulator.createGroup({ owner: anna, subject: 'News', participants: [phone, ben] });
    await test.simulator.changeGroup(id, { by: anna, subject: 'Other news', description: 'Read this' });
    await test.simulator.changeGroup(id, { by: anna, add: [carla], promote: [ben], revokeInvite: true });
    await test.simulator.changeGroup(id, { by: carla, leave: true });
    await test.simulator.changeGroup(id, { by: ben, remove: [phone] });
    const of = <Event extends { data: { id: string } }>(events: readonly Event[]) =>
      events.filter(({ data }) => data.id === id);
    const people = await until(async () => {
      const told = of(await test.service.published(GroupParticipants));
      return told.length >= 4 && told;
    });
    const address = (digits: string) => expect.objectContaining({ jid: `${digits}@c.us`, phone: digits });
    expect(people.map(({ data }) => data)).toMatchObject([
      { action: 'add', author: address(anna), participants: [address(carla)] },
      { action: 'promote', author: address(anna), participants: [address(ben)] },
      { action: 'leave', author: address(carla), participants: [address(carla)] },
      { action: 'remove', author: address(ben), participants: [address(phone)] },
    ]);
    const updates = await until(async () => {
      const told = of(await test.service.published(GroupUpdated));
      return told.length >= 4 && told;
    });
    expect(updates.map(({ data }) => data)).toMatchObject([
      { change: 'joined', name: 'News', description: '', participantsCount: 3 },
      { change: 'name', name: 'Other news', author: address(anna) },
      { change: 'description', description: 'Read this' },
      { change: 'invite-link' },
    ]);
    expect(updates[0]).toMatchObject({ profileId });
    const names = (await test.service.published(SessionGroupNamed)).filter(({ data }) => data.group === id);
    expect(names.map(({ data }) => data.name)).toEqual(['News', 'Other news']);
  });
});
