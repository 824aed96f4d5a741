import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  connected,
  eventually,
  linkProfile,
  register,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654951';
const bytes = randomBytes(3_000_000);
const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

interface Record {
  readonly id: string;
  readonly status: string;
  readonly content: { readonly caption?: string; readonly media?: { readonly url?: string } };
}

/** Files that stand still while the gateway is killed. Sends are durable. */
export function mediaCrashes(at: () => World): void {
  describe('a kill -9 in the middle of a transfer of media', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      profile = await linkProfile(world, tenant, '4915112345951');
    }, 600_000);

    const records = async (): Promise<Record[]> =>
      (await tenant.call<{ items: Record[] }>('GET', `/messages/profile/${profile.profileId}`)).body.items;
    /** Kills the gateway while a file stands still between it and the network, and starts it again. */
    const killInTheMiddle = async (begin: () => Promise<unknown>): Promise<void> => {
      const before = (await world.network.statistics()).transfersStalled;
      await world.network.configureNetwork({ stallTransfers: true });
      await begin();
      await eventually(async () => ((await world.network.statistics()).transfersStalled > before ? true : undefined));
      await world.gateway.kill();
      await world.network.configureNetwork({ stallTransfers: false });
      await world.restart();
      await connected(tenant, profile.profileId);
    };

    it('to the contact: it arrives whole after the restart, and once', async () => {
      const { profileId } = profile;
      const document = { profileId, to: contact, filename: 'large.bin', base64: bytes.toString('base64') };
      await killInTheMiddle(async () => {
        const answer = await tenant.call('POST', '/messages/document', { ...document, caption: 'one' });
        expect(answer.status).toBe(202);
      });
      const [shown] = await world.network.waitForMessages(contact, 1);
      expect(shown?.content).toMatchObject({ caption: 'one', media: { size: bytes.length, sha256: sha256(bytes) } });
      await eventually(async () =>
        (await records()).find(({ content, status }) => content.caption === 'one' && status === 'delivered'),
      );
      // What would come a second time would be there before the next one.
      await tenant.call('POST', '/messages/document', { ...document, caption: 'two' });
      const all = await world.network.waitForMessages(contact, 2);
      expect(all.map(({ content }) => ('caption' in content ? content.caption : undefined))).toEqual(['one', 'two']);
      expect((await world.network.statistics()).contacts[contact]?.shown).toBe(2);
    }, 600_000);

    it('from the contact: the media are there after the restart, and the message once', async () => {
      const content = {
        type: 'document',
        filename: 'large.bin',
        caption: 'inbound',
        media: { base64: bytes.toString('base64'), mimetype: 'application/octet-stream' },
      } as const;
      await killInTheMiddle(() => world.network.sendFromContact(contact, { to: profile.phone, content }));
      const stored = (): Promise<Record[]> =>
        records().then((all) => all.filter((one) => one.content.caption === 'inbound'));
      const url = await eventually(async () => (await stored())[0]?.content.media?.url);
      const headers = { authorization: `Bearer ${tenant.token}` };
      const found = await fetch(world.gateway.host + url, { headers });
      expect(found.status).toBe(200);
      expect(sha256(Buffer.from(await found.arrayBuffer()))).toBe(sha256(bytes));
      expect(await stored()).toHaveLength(1);
    }, 600_000);

    it('media go with the message, and with the profile', async () => {
      const [{ id, content }] = (await records()).filter((one) => one.content.caption === 'inbound') as [Record];
      const headers = { authorization: `Bearer ${tenant.token}` };
      const gone = (url = '') =>
        eventually(async () =>
          (await fetch(world.gateway.host + url, { headers })).status === 404 ? true : undefined,
        );
      expect((await tenant.call('DELETE', `/messages/${id}`)).status).toBe(204);
      await gone(content.media?.url);
      const media = { base64: bytes.toString('base64'), mimetype: 'application/octet-stream' };
      const last = { type: 'document', filename: 'last.bin', caption: 'last', media } as const;
      await world.network.sendFromContact(contact, { to: profile.phone, content: last });
      const url = await eventually(async () => {
        const found = (await records()).find((one) => one.content.caption === 'last');
        return found?.content.media?.url;
      });
      expect((await tenant.call('DELETE', `/profiles/${profile.profileId}`)).status).toBe(204);
      await gone(url);
    }, 600_000);
  });
}
