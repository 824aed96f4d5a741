import { beforeAll, describe, expect, it } from '@jest/globals';
import { connected, linkProfile, register, type Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const rows = 10_000;
const phoneOf = (row: number): string => `49151${String(row).padStart(8, '0')}`;

/** A CSV file as it is made, line by line: nobody holds it whole. One line in a thousand is wrong. */
async function* file(): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode('tags,phone,name\r\n');
  for (let from = 0; from < rows; from += 500) {
    const lines = Array.from({ length: 500 }, (_, index) => from + index).map((row) =>
      row % 1000 === 7 ? `,none,wrong ${row}` : `a;b,${phoneOf(row)},"=Name, ${row}"`,
    );
    yield encoder.encode(`${lines.join('\r\n')}\r\n`);
  }
}

/** Contacts as streamed CSV, from the phone and on the network. */
export function contacts(at: () => World): void {
  describe('contacts of an installation', () => {
    let world: World;
    let owner: Tenant;
    let headers: Record<string, string>;
    let profileId: string;
    beforeAll(async () => {
      world = at();
      owner = await register(world);
      headers = { authorization: `Bearer ${owner.token}` };
      ({ profileId } = await linkProfile(world, owner, '4915120000100'));
    }, 600_000);

    const get = async (path: string) => (await fetch(`${world.gateway.host}/api/v1${path}`, { headers })).json();

    it('come in and go out as streamed CSV', async () => {
      const request: RequestInit = {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv' },
        body: ReadableStream.from(file()),
        duplex: 'half',
      };
      const answer = await fetch(`${world.gateway.host}/api/v1/contacts/import/csv`, request);
      const wrong = rows / 1000;
      expect([answer.status, await answer.json()]).toEqual([
        200,
        {
          created: rows - wrong,
          updated: 0,
          failed: wrong,
          errors: Array.from({ length: wrong }, (_, index) => ({
            line: index * 1000 + 9,
            message: expect.any(String),
          })),
        },
      ]);
      const out = await fetch(`${world.gateway.host}/api/v1/contacts/export/csv`, { headers });
      expect(out.headers.get('content-type')).toContain('text/csv');
      const lines = (await out.text()).trimEnd().split('\r\n');
      expect([lines.length, new Set(lines).size]).toEqual([rows - wrong + 1, rows - wrong + 1]);
      expect(lines).toContain(`${phoneOf(1)},"'=Name, 1","a;b",`);
    }, 600_000);

    it('come in as the file of a spreadsheet, in a form', async () => {
      const form = new FormData();
      form.append('file', new File(['sep=;\r\nPhone;Name\r\n4915120000190;Ada\r\n0;x\r\n'], 'contacts.csv'));
      form.append('profileId', profileId);
      const url = `${world.gateway.host}/api/v1/contacts/import/csv`;
      const answer = await fetch(url, { method: 'POST', headers, body: form });
      expect(await answer.json()).toEqual({
        created: 1,
        updated: 0,
        failed: 1,
        errors: [{ line: 4, message: expect.stringMatching(/^phone must be a phone .* such as \+49/) }],
      });
    }, 600_000);

    it('are learnt from the phone, also by a process that was killed before it kept what it was told', async () => {
      const phone = '4915120000100';
      const [saved, alias] = ['4915120000103', '4915120000104'];
      const sync = () => owner.call('POST', '/contacts/sync/messaging', { profileId });
      expect(await sync()).toMatchObject({ status: 200, body: { created: 0, updated: 0, total: 0 } });
      await world.gateway.kill();
      await world.network.saveName(phone, { contact: saved, name: 'Sam' });
      await world.network.saveName(phone, { contact: alias, name: 'Sandra' });
      await world.restart();
      await connected(owner, profileId);
      expect(await sync()).toMatchObject({ status: 200, body: { created: 2, updated: 0, total: 2 } });
      expect(await get(`/contacts?profileId=${profileId}`)).toMatchObject({
        total: 3,
        items: expect.arrayContaining([expect.objectContaining({ phone: saved, name: 'Sam', profileId })]),
      });
    }, 600_000);

    it('are blocked over REST', async () => {
      const made = await owner.call('POST', '/contacts', { phone: '4915120000190', blocked: true });
      expect(made).toMatchObject({ status: 201, body: { blocked: true } });
      const path = `/contacts/${(made.body as { id: string }).id}`;
      expect(await owner.call('PUT', path, { blocked: false })).toMatchObject({
        status: 200,
        body: { blocked: false },
      });
      expect(await owner.call('PUT', path, { blocked: 'no' })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'body.blocked' }] } },
      });
      expect(await owner.call('PUT', path, { blocked: true })).toMatchObject({ status: 200 });
      expect(await get(path)).toMatchObject({ blocked: true, name: null });
    });

    it('are checked on the network', async () => {
      const [there, away] = ['4915120000101', '4915120000102'];
      await world.network.configureContact(away, { exists: false });
      expect(await get(`/contacts/profile/${profileId}/validate/${there}`)).toEqual({
        phone: there,
        valid: true,
        exists: true,
        jid: `${there}@c.us`,
      });
      expect(await get(`/contacts/profile/${profileId}/validate/${away}`)).toMatchObject({ exists: false, jid: null });
    }, 600_000);

    it('are neither checked nor learnt without a connection', async () => {
      const { id } = (await owner.call('POST', '/profiles', { name: 'never linked' })).body as { id: string };
      const refused = {
        status: 409,
        body: {
          success: false,
          error: { code: 'PROFILE_NOT_CONNECTED', message: expect.any(String), requestId: expect.any(String) },
        },
      };
      const phones = ['4915120000105'];
      expect(await owner.call('POST', `/contacts/profile/${id}/validate`, { phones })).toMatchObject(refused);
      expect(await owner.call('POST', '/contacts/sync/messaging', { profileId: id })).toMatchObject(refused);
    }, 600_000);
  });
}
