import { beforeAll, describe, expect, it } from '@jest/globals';
import { register } from '@messaging-gateway/testing';
import type { Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

type Refusal = { error: { code: string; message: string; details?: unknown } };

/** From a new profile to its first message, by what the API says to do next. */
export function linking(at: () => World): void {
  describe('linking', () => {
    const phone = '4915112340001';
    let world: World;
    let tenant: Tenant;
    let stranger: Tenant;
    let profileId: string;
    const get = (path: string, accept: string): Promise<Response> =>
      fetch(`${world.gateway.host}/api/v1${path}`, {
        headers: { accept, authorization: `Bearer ${tenant.token}` },
      });

    beforeAll(async () => {
      world = at();
      [tenant, stranger] = [await register(world), await register(world)];
      profileId = (await tenant.call<{ id: string }>('POST', '/profiles', { name: 'Linked' })).body.id;
      await world.network.createPhone({ phone });
    }, 600_000);

    it('says of a send where the profile stands, and of a QR code that connect comes first', async () => {
      const text = { profileId, to: '4915112340002', text: 'too early' };
      const sent = await tenant.call<Refusal>('POST', '/messages/text', text);
      expect([sent.status, sent.body.error]).toMatchObject([
        409,
        { code: 'PROFILE_NOT_CONNECTED', details: { status: 'disconnected', statusReason: null } },
      ]);
      const asked = await tenant.call<Refusal>('GET', `/profiles/${profileId}/qr?wait=60`);
      expect([asked.status, asked.body.error.message]).toEqual([404, expect.stringContaining('/connect')]);
    });

    it('waits for the QR code, which comes as JSON, as an image and for a terminal', async () => {
      await tenant.call('POST', `/profiles/${profileId}/connect`);
      const image = await get(`/profiles/${profileId}/qr?wait=60`, 'image/png');
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(
        Buffer.from(await image.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
      const text = await get(`/profiles/${profileId}/qr?wait=60`, 'text/plain');
      expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect((await text.text()).split('\n').length).toBeGreaterThan(20);
      const json = await get(`/profiles/${profileId}/qr?wait=60`, '*/*');
      expect(await json.json()).toMatchObject({ qr: expect.any(String), qrCode: expect.stringMatching(/^data:image/) });
      const wrong = await tenant.call<Refusal>('GET', `/profiles/${profileId}/qr?wait=61`);
      expect([wrong.status, wrong.body.error.details]).toMatchObject([400, [{ path: 'query.wait' }]]);
    });

    it('waits until the profile is connected, and sends', async () => {
      const waiting = tenant.call<{ status: string }>('GET', `/profiles/${profileId}/status?wait=60&until=connected`);
      const { body } = await tenant.call<{ qr: string }>('GET', `/profiles/${profileId}/qr?wait=60`);
      await world.network.scan(phone, body.qr);
      expect((await waiting).body.status).toBe('connected');
      const sent = await tenant.call('POST', '/messages/text', { profileId, to: '4915112340002', text: 'now' });
      expect(sent.status).toBe(200);
    });

    it('makes pages for linking that belong to one profile, lead back to safe places only, and can be withdrawn', async () => {
      const path = `/profiles/${profileId}/link-page`;
      for (const returnUrl of [
        'javascript:alert(1)',
        'data:text/html,x',
        '//example.com',
        'https://me:pw@example.com/',
      ]) {
        const refused = await tenant.call<Refusal>('POST', path, { expiresInMinutes: 5, returnUrl });
        expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ path: 'body.returnUrl' }]]);
      }
      const made = await tenant.call<{ id: string; url: string }>('POST', path, { expiresInMinutes: 5 });
      expect([made.status, made.body.url]).toEqual([201, expect.stringMatching(/^http:.*\/link#[\w-]{43}$/)]);
      const { origin, hash } = new URL(made.body.url);
      expect(origin).toBe(world.gateway.host);
      const token = hash.slice(1);
      const read = (given: string) => world.gateway.call('POST', '/link-pages/state', { token: given });
      const shown = await read(token);
      expect(Object.keys(shown.body).toSorted()).toEqual(
        ['expiresInMs', 'language', 'name', 'qrCode', 'returnUrl', 'status', 'statusReason', 'version'].toSorted(),
      );
      expect(shown.body).toMatchObject({ name: 'Linked', status: 'connected', qrCode: null });
      expect((await read('A'.repeat(43))).status).toBe(404);
      expect((await stranger.call('POST', path, { expiresInMinutes: 5 })).status).toBe(404);
      expect((await stranger.call('DELETE', `${path}/${made.body.id}`)).status).toBe(404);
      expect((await stranger.call('GET', path)).status).toBe(404);
      const listed = await tenant.call<{ items: object[] }>('GET', path);
      expect([listed.status, listed.body.items]).toEqual([
        200,
        [expect.objectContaining({ id: made.body.id, returnUrl: null, language: null })],
      ]);
      expect(JSON.stringify(listed.body)).not.toContain(token);
      const waiting = world.gateway.call('POST', '/link-pages/state', {
        token,
        seen: shown.body['version'],
        wait: 25,
      });
      expect((await tenant.call('DELETE', `${path}/${made.body.id}`)).status).toBe(204);
      expect([(await waiting).status, (await read(token)).status]).toEqual([404, 404]);
      expect((await tenant.call('GET', path)).body).toEqual({ items: [] });
      expect((await tenant.call('DELETE', `${path}/${made.body.id}`)).status).toBe(204);
      expect(world.gateway.output()).not.toContain(token);
    });

    it('bounds the open pages of a profile', async () => {
      const path = `/profiles/${profileId}/link-page`;
      const statuses: number[] = [];
      for (let n = 0; n <= 20; n += 1) statuses.push((await tenant.call('POST', path, { expiresInMinutes: 1 })).status);
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 409]);
    });
  });
}
