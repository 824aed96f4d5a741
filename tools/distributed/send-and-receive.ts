import { expect } from '@jest/globals';
import type { Simulator } from '@messaging-gateway/network-simulator';
import {
  eventually,
  linkProfile,
  register,
  type Distributed,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';

/** The main job: a new tenant links a phone, a contact decrypts what is sent, and what that answers is stored. */
export async function sendAndReceive(world: {
  readonly gateway: Distributed;
  readonly network: Simulator;
}): Promise<{ readonly tenant: Tenant; readonly profile: LinkedProfile }> {
  const tenant = await register(world);
  const profile = await linkProfile(world, tenant, '4915112345801');
  const contact = '4915187654801';
  const text = { profileId: profile.profileId, to: contact, text: 'Over the brokers' };
  expect((await tenant.call('POST', '/messages/text', text)).status).toBe(200);
  expect((await world.network.waitForMessages(contact, 1))[0]?.text).toBe('Over the brokers');
  await world.network.sendFromContact(contact, { to: profile.phone, text: 'And back' });
  await eventually(async () => {
    const page = await tenant.call<{ items: { content: { text: string } }[] }>(
      'GET',
      `/messages/profile/${profile.profileId}`,
    );
    return page.body.items.some(({ content }) => content.text === 'And back') ? true : undefined;
  });
  return { tenant, profile };
}
