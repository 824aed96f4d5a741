import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import type { SimulatorControl } from '@messaging-gateway/network-simulator';
import {
  eventually,
  linkProfile,
  register,
  type ApiWorld,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';

const contact = '4915187654851';
const bytes = randomBytes(2_000_000);
const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

interface Record {
  readonly id: string;
  readonly content: { readonly caption?: string; readonly media?: { readonly url?: string } };
}

/** An installation whose processes have a store in common. */
export interface MediaWorld {
  readonly network: SimulatorControl;
  /** Base URLs of gateways, one at least. */
  readonly installation: { readonly gateways: readonly string[] };
  readonly api: ApiWorld;
}

/** Media over the brokers, between processes with a store in common. */
export function mediaSuite(world: () => MediaWorld): void {
  let network: SimulatorControl;
  let tenant: Tenant;
  let profile: LinkedProfile;
  let host: string;
  beforeAll(async () => {
    const { api, installation } = world();
    ({ network } = world());
    [host = ''] = installation.gateways;
    tenant = await register(api);
    profile = await linkProfile(api, tenant, '4915112345851');
  }, 600_000);

  const get = (path: string, headers: object = {}, { token } = tenant): Promise<Response> =>
    fetch(host + path, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const body = async (answer: Promise<Response>): Promise<Buffer> => Buffer.from(await (await answer).arrayBuffer());
  const arrived = (caption: string): Promise<{ id: string; url: string }> =>
    eventually(async () => {
      const page = await tenant.call<{ items: Record[] }>('GET', `/messages/profile/${profile.profileId}`);
      const found = page.body.items.find(({ content }) => content.caption === caption);
      const url = found?.content.media?.url;
      return found === undefined || url === undefined ? undefined : { id: found.id, url };
    });
  const receive = async (caption: string) => {
    const media = { base64: bytes.toString('base64'), mimetype: 'application/octet-stream' };
    const content = { type: 'document', filename: 'large.bin', caption, media } as const;
    await network.sendFromContact(contact, { to: profile.phone, content });
    return arrived(caption);
  };

  it('go out as an upload and as base64, and arrive as they were', async () => {
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'large.bin');
    const headers = { authorization: `Bearer ${tenant.token}` };
    const answer = await fetch(`${host}/api/v1/uploads/media`, { method: 'POST', headers, body: form });
    expect(answer.status).toBe(201);
    const { url, type } = (await answer.json()) as { url: string; type: string };
    expect(type).toBe('document');
    expect((await body(get(url))).equals(bytes)).toBe(true);
    const document = { profileId: profile.profileId, to: contact, filename: 'large.bin' };
    for (const source of [{ url }, { base64: bytes.toString('base64') }]) {
      const sent = await tenant.call('POST', '/messages/document', { ...document, ...source });
      expect(sent).toMatchObject({ status: 200, body: { success: true } });
    }
    const shown = await network.waitForMessages(contact, 2);
    const expected = { media: { sha256: sha256(bytes) }, filename: 'large.bin' };
    expect(shown.map(({ content }) => content)).toMatchObject([expected, expected]);
  }, 600_000);

  it('come in, and are fetched by their URL: in parts, by their own organization, until the message is deleted', async () => {
    const { id, url } = await receive('kept');
    expect((await body(get(url))).equals(bytes)).toBe(true);
    const part = await get(url, { range: 'bytes=1000-1999' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true);
    expect((await fetch(host + url)).status).toBe(401);
    expect((await get(url, {}, await register(world().api))).status).toBe(404);
    expect((await tenant.call('DELETE', `/messages/${id}`)).status).toBe(204);
    await eventually(async () => ((await get(url)).status === 404 ? true : undefined));
  }, 600_000);

  it('go with the profile, which had its contacts from the phone', async () => {
    const { profileId, phone } = profile;
    await network.saveName(phone, { contact: '4915187654852', name: 'Sam' });
    expect(await tenant.call('POST', '/contacts/sync/messaging', { profileId })).toMatchObject({
      status: 200,
      body: { created: 1, total: 1 },
    });
    const { url } = await receive('last');
    expect((await tenant.call('DELETE', `/profiles/${profileId}`)).status).toBe(204);
    await eventually(async () => ((await get(url)).status === 404 ? true : undefined));
  }, 600_000);
}
