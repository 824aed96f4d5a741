import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, eventually, linkProfile, register, testS3 } from '@messaging-gateway/testing';
import type { LinkedProfile, Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654901';
const bytes = randomBytes(7 * 1024 * 1024);
const picture = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de7fffffff49444154', 'hex'),
  randomBytes(6_000_000),
]);
const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

interface Uploaded {
  readonly url: string;
  readonly key: string;
  readonly size: number;
}
interface Received {
  readonly direction: string;
  readonly content: { readonly media?: { readonly url: string; readonly mimetype: string; readonly size: number } };
}

/** Uploads and received files, in the data folder and in an object store. The gateway has the object store afterwards. */
export function media(at: () => World): void {
  describe('media of an installation in one process', () => {
    let world: World;
    let tenant: Tenant;
    let uploaded: Uploaded;
    beforeAll(async () => {
      world = at();
      tenant = await register(world);
    }, 600_000);

    const upload = async (data: Uint8Array<ArrayBuffer>, name: string): Promise<Uploaded> => {
      const body = new FormData();
      body.append('file', new Blob([data]), name);
      const headers = { authorization: `Bearer ${tenant.token}` };
      const answer = await fetch(`${world.gateway.host}/api/v1/uploads/media`, { method: 'POST', headers, body });
      expect(answer.status).toBe(201);
      return (await answer.json()) as Uploaded;
    };
    const fetched = (path: string, { token }: Tenant, more: Record<string, string> = {}): Promise<Response> =>
      fetch(world.gateway.host + path, { headers: { authorization: `Bearer ${token}`, ...more } });
    const comesBack = async ({ url }: Uploaded): Promise<void> => {
      const whole = await fetched(url, tenant);
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
      const end = await fetched(url, tenant, { range: 'bytes=-100' });
      expect(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-100))).toBe(true);
      expect((await fetch(world.gateway.host + url)).status).toBe(401);
    };
    const fileOf = ({ key }: Uploaded): string => join(world.dataDirectory, 'media', key);

    it('keeps uploads in files under DATA_DIR, also over a kill -9', async () => {
      uploaded = await upload(bytes, 'archive.bin');
      expect(uploaded.size).toBe(bytes.length);
      await world.gateway.kill();
      await world.restart();
      await comesBack(uploaded);
      expect(existsSync(fileOf(uploaded))).toBe(true);
    }, 600_000);

    describeWith('s3', 'with an object store', () => {
      let profile: LinkedProfile;
      beforeAll(async () => {
        const { endpoint, accessKey, secretKey, bucket } = await testS3();
        await world.gateway.stop();
        await world.restart({
          OBJECT_STORE_ENDPOINT: new URL(endpoint).hostname,
          OBJECT_STORE_PORT: new URL(endpoint).port,
          OBJECT_STORE_USE_SSL: 'false',
          OBJECT_STORE_ACCESS_KEY: accessKey,
          OBJECT_STORE_SECRET_KEY: secretKey,
          OBJECT_STORE_BUCKET: bucket,
        });
        profile = await linkProfile(world, tenant, '4915112345901');
      }, 600_000);

      it('keeps uploads there', async () => {
        const stored = await upload(bytes, 'archive.bin');
        await comesBack(stored);
        expect(existsSync(fileOf(stored))).toBe(false);
        expect((await fetched(uploaded.url, tenant)).status).toBe(404);
      }, 600_000);

      it('media that are received are fetched by their URL, by their own organization', async () => {
        const sentMedia = { base64: picture.toString('base64'), mimetype: 'image/png' };
        await world.network.sendFromContact(contact, {
          to: profile.phone,
          content: { type: 'image', media: sentMedia },
        });
        const received = await eventually(async () => {
          const { body } = await tenant.call<{ items: Received[] }>('GET', `/messages/profile/${profile.profileId}`);
          return body.items.find(({ direction }) => direction === 'incoming')?.content.media;
        });
        expect(received).toMatchObject({ mimetype: 'image/png', size: picture.length });
        const answer = await fetched(received.url, tenant);
        expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(picture));
        expect((await fetched(received.url, await register(world))).status).toBe(404);
      }, 600_000);

      it('media that were uploaded are decrypted at the contact', async () => {
        const { url } = await upload(picture, 'picture.png');
        const { profileId } = profile;
        const caption = 'From the store';
        const sent = await tenant.call('POST', '/messages/image', { profileId, to: contact, url, caption });
        expect(sent.status).toBe(200);
        const [shown] = await world.network.waitForMessages(contact, 1);
        expect(shown?.content).toMatchObject({ caption, media: { sha256: sha256(picture) } });
      }, 600_000);
    });
  });
}
