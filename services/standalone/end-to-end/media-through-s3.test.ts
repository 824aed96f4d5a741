import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, eventually, linkProfile, register, testS3 } from '@messaging-gateway/testing';
import type { LinkedProfile, Tenant } from '@messaging-gateway/testing';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

const contact = '4915187654901';
const picture = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de7fffffff49444154', 'hex'),
  randomBytes(6_000_000),
]);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Received {
  readonly direction: string;
  readonly content: { readonly media?: { readonly url: string; readonly mimetype: string; readonly size: number } };
}

describeWith('s3', 'media with an object store', () => {
  let world: World;
  let tenant: Tenant;
  let profile: LinkedProfile;

  beforeAll(async () => {
    const { endpoint, accessKey, secretKey, bucket } = await testS3();
    world = await startWorld({
      OBJECT_STORE_ENDPOINT: new URL(endpoint).hostname,
      OBJECT_STORE_PORT: new URL(endpoint).port,
      OBJECT_STORE_USE_SSL: 'false',
      OBJECT_STORE_ACCESS_KEY: accessKey,
      OBJECT_STORE_SECRET_KEY: secretKey,
      OBJECT_STORE_BUCKET: bucket,
    });
    tenant = await register(world);
    profile = await linkProfile(world, tenant, '4915112345901');
  });
  afterAll(() => world.end());

  const fetched = (path: string, { token }: Tenant): Promise<Response> =>
    fetch(world.gateway.host + path, { headers: { authorization: `Bearer ${token}` } });

  it('that are received are fetched by their URL, by their own organization', async () => {
    const media = { base64: picture.toString('base64'), mimetype: 'image/png' };
    await world.network.sendFromContact(contact, { to: profile.phone, content: { type: 'image', media } });
    const received = await eventually(async () => {
      const { body } = await tenant.call<{ items: Received[] }>('GET', `/messages/profile/${profile.profileId}`);
      return body.items.find(({ direction }) => direction === 'incoming')?.content.media;
    });
    expect(received).toMatchObject({ mimetype: 'image/png', size: picture.length });
    const answer = await fetched(received.url, tenant);
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(picture));
    expect((await fetched(received.url, await register(world))).status).toBe(404);
  });

  it('that were uploaded are decrypted at the contact', async () => {
    const body = new FormData();
    body.append('file', new Blob([picture]), 'picture.png');
    const headers = { authorization: `Bearer ${tenant.token}` };
    const uploaded = await fetch(`${world.gateway.host}/api/v1/uploads/media`, { method: 'POST', headers, body });
    const { url } = (await uploaded.json()) as { url: string };
    const { profileId } = profile;
    const sent = await tenant.call('POST', '/messages/image', {
      profileId,
      to: contact,
      url,
      caption: 'From the store',
    });
    expect(sent.status).toBe(200);
    const [shown] = await world.network.waitForMessages(contact, 1);
    expect(shown?.content).toMatchObject({ caption: 'From the store', media: { sha256: sha256(picture) } });
  });
});
