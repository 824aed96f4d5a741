import { randomUUID } from 'node:crypto';
import { eventually, register, type Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

/** Less than any jump that a suite waits for, milliseconds. */
const toleranceMs = 30_000;

/** Whether the gateway's clock is where the world moved it. Saves a contact, which shows the gateway's time. */
async function hasSeenJump(world: World, tenant: Tenant): Promise<boolean> {
  const contact = { phone: '4915120000999', name: randomUUID() };
  const { body } = await tenant.call<{ updatedAt?: string }>('POST', '/contacts', contact);
  return Date.parse(body.updatedAt ?? '') > world.now() - toleranceMs;
}

/** Waits until the gateway has seen that its clock was moved. A request that the jump passes over may time out. */
export const jumpSeen = (world: World, tenant: Tenant): Promise<true> =>
  eventually(async () => (await hasSeenJump(world, tenant)) || undefined);

/** Registers somebody once the gateway has seen that its clock was moved. */
export const registerAfterJump = (world: World): Promise<Tenant> =>
  eventually(async () => {
    const tenant = await register(world).catch(() => undefined);
    return tenant !== undefined && (await hasSeenJump(world, tenant)) ? tenant : undefined;
  });
