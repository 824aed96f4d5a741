import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BaileysEventMap, BinaryNode } from '@whiskeysockets/baileys';
import { simulatorControl, startSimulator, type Simulator } from './index.ts';
import { linked, type Client } from './testing/client.ts';
import { until } from './testing/until.ts';

const phone = '4915112345678';
const [anna, ben, carla] = ['4915100000001', '4915100000002', '4915100000003'] as const;
const jid = (number: string) => `${number}@s.whatsapp.net`;

describe('groups', () => {
  let simulator: Simulator;
  let client: Client;
  const changes: BaileysEventMap['group-participants.update'][] = [];
  const updates: BaileysEventMap['groups.update'] = [];
  const upserts: BaileysEventMap['groups.upsert'] = [];

  beforeAll(async () => {
    simulator = await startSimulator();
    client = await linked(simulator, phone);
    client.socket.ev.on('group-participants.update', (change) => changes.push(change));
    client.socket.ev.on('groups.update', (some) => updates.push(...some));
    client.socket.ev.on('groups.upsert', (some) => upserts.push(...some));
  });
  afterAll(async () => {
    client.end();
    await simulator.stop();
  });

  const lid = async (number: string) => `${(await simulator.phone(number)).lid}@lid`;
  const make = async (subject: string, ...people: string[]) =>
    (await client.socket.groupCreate(subject, people.map(jid))).id;
  const members = async (id: string) =>
    Object.fromEntries((await simulator.group(id)).members.map((member) => [member.phone, member.rank]));
  const change = async (id: string, people: string[], action: 'add' | 'remove' | 'promote' | 'demote') =>
    (await client.socket.groupParticipantsUpdate(id, people.map(jid), action)).map((one) => one.status);

  it('are made, and known to who made them', async () => {
    const id = await make('Choir', anna, ben);
    expect(await members(id)).toEqual({ [phone]: 'superadmin', [anna]: 'member', [ben]: 'member' });
    const metadata = await client.socket.groupMetadata(id);
    expect(metadata).toMatchObject({ id, subject: 'Choir', size: 3, addressingMode: 'lid', ownerPn: jid(phone) });
    expect(metadata.participants).toContainEqual(
      expect.objectContaining({ id: await lid(anna), phoneNumber: jid(anna), admin: null }),
    );
    expect((await client.socket.groupFetchAllParticipating())[id]).toMatchObject({ subject: 'Choir', size: 3 });
    await until(() => upserts.some((group) => group.id === id));
  });

  it('let people in, or say for each why not', async () => {
    const id = await make('Team', anna);
    await simulator.configureContact('4915100000011', { exists: false });
    await simulator.configureContact('4915100000012', { refuseGroups: 403 });
    await simulator.configureContact('4915100000013', { refuseGroups: 408 });
    const asked = [ben, anna, '4915100000011', '4915100000012', '4915100000013'];
    const results = await client.socket.groupParticipantsUpdate(id, asked.map(jid), 'add');
    expect(results.map(({ status }) => status)).toEqual(['200', '409', '404', '403', '408']);
    expect(results[3]?.content).toMatchObject({
      attrs: { phone_number: jid('4915100000012') },
      content: [{ tag: 'add_request', attrs: { code: expect.any(String), expiration: expect.any(String) } }],
    });
    expect(Object.keys(await members(id)).toSorted()).toEqual([anna, ben, phone]);
    await until(() => changes.some((one) => one.id === id && one.action === 'add'));
    const created = await client.socket.groupCreate('Refused', [jid(ben), jid('4915100000012')]);
    expect(Object.keys(await members(created.id)).toSorted()).toEqual([ben, phone]);
  });

  it('change their administrators and lose members', async () => {
    const id = await make('Board', anna, ben);
    expect(await change(id, [anna, carla], 'promote')).toEqual(['200', '404']);
    expect(await members(id)).toMatchObject({ [anna]: 'admin' });
    expect(await change(id, [anna], 'demote')).toEqual(['200']);
    expect(await change(id, [ben, phone], 'remove')).toEqual(['200', '406']);
    expect(await members(id)).toEqual({ [phone]: 'superadmin', [anna]: 'member' });
    await until(() => changes.filter((one) => one.id === id).length === 3);
    expect(changes.filter((one) => one.id === id).map(({ action }) => action)).toEqual(['promote', 'demote', 'remove']);
  });

  it('have a subject and a description', async () => {
    const id = await make('Old', anna);
    await client.socket.groupUpdateSubject(id, 'New');
    await client.socket.groupUpdateDescription(id, 'What it is about');
    await client.socket.groupUpdateDescription(id, 'What it is really about');
    expect(await client.socket.groupMetadata(id)).toMatchObject({ subject: 'New', desc: 'What it is really about' });
    await simulator.changeGroup(id, { by: anna, subject: 'Newer', description: '' });
    const metadata = await client.socket.groupMetadata(id);
    expect(metadata.subject).toBe('Newer');
    expect(metadata.desc).toBeUndefined();
    await until(() => updates.some((one) => one.id === id && one.subject === 'Newer'));
    await expect(client.socket.groupUpdateSubject(id, '')).rejects.toThrow();
  });

  it('can be left, and say nothing to who is not in them', async () => {
    const id = await make('Short', anna);
    await client.socket.groupLeave(id);
    expect(await members(id)).toEqual({ [anna]: 'member' });
    await expect(client.socket.groupMetadata(id)).rejects.toMatchObject({ data: 403 });
    await expect(client.socket.groupMetadata('1203630000@g.us')).rejects.toMatchObject({ data: 404 });
    expect(await client.socket.groupFetchAllParticipating()).not.toHaveProperty([id]);
  });

  it('are changed by their administrators alone', async () => {
    const { id } = await simulator.createGroup({ owner: anna, subject: 'Hers', participants: [phone, ben] });
    await until(() => upserts.some((group) => group.id === id));
    await expect(client.socket.groupParticipantsUpdate(id, [jid(ben)], 'remove')).rejects.toMatchObject({ data: 403 });
    await expect(client.socket.groupInviteCode(id)).rejects.toMatchObject({ data: 401 });
    await expect(simulator.changeGroup(id, { by: ben, add: [carla] })).rejects.toMatchObject({ code: 'GROUP_403' });
    await simulator.changeGroup(id, { by: anna, promote: [phone] });
    expect(await change(id, [ben], 'remove')).toEqual(['200']);
  });

  it('are joined by their link until it is revoked', async () => {
    const id = await make('Open');
    const code = (await client.socket.groupInviteCode(id)) ?? '';
    await simulator.joinGroup(anna, code);
    expect(await members(id)).toMatchObject({ [anna]: 'member' });
    const renewed = await client.socket.groupRevokeInvite(id);
    expect(renewed).not.toBe(code);
    await expect(simulator.joinGroup(ben, code)).rejects.toMatchObject({ code: 'GROUP_410' });
    const other = await simulator.createGroup({ owner: anna, subject: 'Elsewhere', participants: [] });
    expect(await client.socket.groupGetInviteInfo(other.inviteCode)).toMatchObject({ subject: 'Elsewhere' });
    expect(await client.socket.groupAcceptInvite(other.inviteCode)).toBe(other.id);
    expect(await members(other.id)).toMatchObject({ [phone]: 'member' });
    await expect(client.socket.groupAcceptInvite('nowhere')).rejects.toMatchObject({ data: 406 });
  });

  it('are joined by a personal invitation, once', async () => {
    await simulator.configureContact(phone, { refuseGroups: 403 });
    const { id } = await simulator.createGroup({ owner: anna, subject: 'By invitation', participants: [ben] });
    const maker = await linked(simulator, '4915100000031');
    const group = (await maker.socket.groupCreate('Please come', [jid(ben)])).id;
    const [refused] = await maker.socket.groupParticipantsUpdate(group, [jid(phone)], 'add');
    const [request] = (refused?.content.content ?? []) as BinaryNode[];
    const message = { groupJid: group, inviteCode: request?.attrs['code'] ?? '', inviteExpiration: 2_000_000_000 };
    const accept = () => client.socket.groupAcceptInviteV4(jid('4915100000031'), message);
    expect(await accept()).toBe(group);
    expect(await members(group)).toMatchObject({ [phone]: 'member' });
    await client.socket.groupLeave(group);
    await expect(accept()).rejects.toMatchObject({ data: 410 });
    expect(await members(id)).not.toHaveProperty([phone]);
    await simulator.configureContact(phone, { refuseGroups: 0 });
    maker.end();
  });

  it('take no message of who is no member', async () => {
    const { id } = await simulator.createGroup({ owner: anna, subject: 'Closed', participants: [ben] });
    const enc = { tag: 'enc', attrs: { v: '2', type: 'skmsg' }, content: Buffer.from('anything') };
    await client.socket.sendNode({
      tag: 'message',
      attrs: { id: '3EB0OUTSIDE', to: id, type: 'text' },
      content: [enc],
    });
    await until(() => client.states('3EB0OUTSIDE').includes('403'));
    expect(await simulator.messages(ben, { from: phone })).toEqual([]);
  });

  it('are made and changed from another process too', async () => {
    const control = simulatorControl(simulator.control);
    await simulator.configureContact('4915100000021', { refuseGroups: 403 });
    const made = await control.createGroup({
      owner: anna,
      subject: 'By HTTP',
      participants: [phone, '4915100000021'],
      description: 'Described',
    });
    expect(made).toMatchObject({
      subject: 'By HTTP',
      description: 'Described',
      results: [
        { phone, status: 200 },
        { phone: '4915100000021', status: 403 },
      ],
    });
    await control.joinGroup(ben, made.inviteCode);
    const changed = await control.changeGroup(made.id, { by: anna, add: [carla, ben], revokeInvite: true });
    expect(changed.results).toEqual([
      { phone: carla, status: 200 },
      { phone: ben, status: 409 },
    ]);
    expect(changed.inviteCode).not.toBe(made.inviteCode);
    await control.changeGroup(made.id, { by: ben, leave: true });
    expect((await control.group(made.id)).members.map((member) => member.phone)).toEqual([anna, phone, carla]);
    const { id } = await control.sendFromContact(carla, { to: made.id, text: 'Hello' });
    await until(() => client.seen.find((one) => one.id === id));
    expect(await control.messages(phone, { from: carla })).toMatchObject([{ to: made.id, text: 'Hello' }]);
    await expect(control.group('1203630000@g.us')).rejects.toMatchObject({ code: 'GROUP_UNKNOWN' });
    const nameless = { owner: anna, subject: '', participants: [] };
    await expect(control.createGroup(nameless)).rejects.toMatchObject({ code: 'GROUP_406' });
  });
});
