import { expect, it } from '@jest/globals';
import { eventually, linkProfile, NotificationStream, register } from '@messaging-gateway/testing';
import type { PlainWorld } from './world.ts';

/** Streams of one member, which two insights processes serve while each of them takes in a part of what happens. */
export function notificationsSuite(world: () => PlainWorld): void {
  it('come once each on every stream of a member, in the same order, whichever process has noticed them', async () => {
    const { api, network, installation } = world();
    const tenant = await register(api);
    const host = installation.gateways[0] ?? '';
    const profile = await linkProfile(api, tenant, '4915112345871');
    const streams = Array.from({ length: 4 }, () => new NotificationStream(tenant.token));
    const contacts = Array.from({ length: 20 }, (_, number) => `49151876549${String(number).padStart(2, '0')}`);
    try {
      for (const stream of streams) await stream.open(host);
      for (const contact of contacts)
        await network.sendFromContact(contact, { to: profile.phone, text: `From ${contact}` });
      for (const stream of streams)
        await eventually(async () => (stream.told.length >= contacts.length ? true : undefined));
      const bodies = streams.map(({ told }) => told.map(({ body }) => body));
      expect(bodies[0]?.toSorted()).toEqual(contacts.map((contact) => `From ${contact}`));
      for (const other of bodies) expect(other).toEqual(bodies[0]);
    } finally {
      for (const stream of streams) stream.close();
    }
    // One goes on behind the last that it was told, and is told nothing again.
    const [again] = streams;
    await network.sendFromContact('4915187654999', { to: profile.phone, text: 'While away' });
    await eventually(async () => {
      const { body } = await tenant.call<{ items: { body: string }[] }>('GET', '/notifications?type=message');
      return body.items.some((one) => one.body === 'While away') ? true : undefined;
    });
    await again?.open(host);
    await again?.until(({ body }) => body === 'While away');
    again?.close();
    expect(again?.told).toHaveLength(contacts.length + 1);
  }, 600_000);
}
