import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register, type Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

interface Listed {
  readonly total: number;
  readonly items: readonly { readonly id: string; readonly phone: string | null; readonly reason: string | null }[];
}

/** People who say by themselves that nothing more may go to them. */
export function suppressions(at: () => World): void {
  describe('suppressions of an installation', () => {
    const [phone, person] = ['4915120000110', '4915120000111'];
    let world: World;
    let owner: Tenant;
    let profileId: string;
    beforeAll(async () => {
      world = at();
      owner = await register(world);
      ({ profileId } = await linkProfile(world, owner, phone));
    }, 600_000);

    const list = async (): Promise<Listed> => (await owner.call<Listed>('GET', '/suppressions')).body;
    const write = (text: string) => world.network.sendFromContact(person, { to: phone, text });
    const once = (total: number) => eventually(async () => ((await list()).total === total ? true : undefined));

    it('follow the words of the person, and are confirmed on the phone', async () => {
      const confirmation = 'You will get no more of our news.';
      expect(await owner.call('PUT', '/settings/opt-out', { confirmation })).toMatchObject({
        status: 200,
        body: { confirmation, resumeWords: ['START'] },
      });
      await write('please do not stop');
      await write('stop.');
      await once(1);
      expect((await list()).items).toMatchObject([{ phone: person, reason: 'opt-out: STOP' }]);
      expect(await world.network.waitForMessages(person, 1)).toMatchObject([{ text: confirmation }]);
      await write('Start!');
      await once(0);
    }, 600_000);

    it('outlive the contact', async () => {
      await write('STOP');
      await once(1);
      const { body } = await owner.call<Listed>('GET', `/contacts?search=${person}`);
      expect((await owner.call('DELETE', `/contacts/${body.items[0]?.id}`)).status).toBe(204);
      await eventually(async () => ((await list()).items[0]?.phone === null ? true : undefined));
      expect(await owner.call('POST', '/suppressions', { phone: person })).toMatchObject({
        status: 200,
        body: { phone: person, reason: 'opt-out: STOP' },
      });
    }, 600_000);

    it('come in and go out as a file, and are refused by the name of the field', async () => {
      const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'text/csv' };
      const url = `${world.gateway.host}/api/v1/suppressions`;
      const body = 'phone;reason\n4915120000112;asked by mail\nnone;\n';
      const answer = await fetch(`${url}/import/csv`, { method: 'POST', headers, body });
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { created: 1, updated: 0, failed: 1, errors: [{ line: 3 }] },
      ]);
      const out = await fetch(`${url}/export/csv`, { headers });
      expect(out.headers.get('content-type')).toContain('text/csv');
      expect(await out.text()).toContain('4915120000112,asked by mail,20');
      expect(await owner.call('POST', '/suppressions', { phone: 'none' })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'body.phone' }] } },
      });
    }, 600_000);

    it('are out of reach of keys that are limited to profiles, and of those who may only read', async () => {
      const keyOf = async (scope: object) =>
        (await owner.call<{ key: string }>('POST', '/api-keys', { name: 'limited', ...scope })).body.key;
      const ask = async (key: string, method: string, path: string, body?: object): Promise<number> => {
        const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
        const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        return (await fetch(`${world.gateway.host}/api/v1${path}`, request)).status;
      };
      const ofProfile = await keyOf({ permissions: ['contact:read', 'contact:update'], profileIds: [profileId] });
      const reader = await keyOf({ permissions: ['contact:read'] });
      const given = { phone: '4915120000113' };
      expect(await ask(ofProfile, 'GET', '/suppressions')).toBe(403);
      expect(await ask(ofProfile, 'POST', '/suppressions', given)).toBe(403);
      expect(await ask(reader, 'GET', '/suppressions')).toBe(200);
      expect(await ask(reader, 'GET', '/suppressions/export/csv')).toBe(200);
      expect(await ask(reader, 'POST', '/suppressions', given)).toBe(403);
      expect(await ask(reader, 'POST', '/suppressions/import/csv', { csv: 'phone' })).toBe(403);
      expect(await ask(reader, 'GET', '/settings/opt-out')).toBe(403);
    });
  });
}
