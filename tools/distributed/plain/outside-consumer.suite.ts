import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { eventually, linkProfile, register } from '@messaging-gateway/testing';
import type { PlainWorld } from './world.ts';

const program = fileURLToPath(new URL('../../../docs/examples/kafka-consumer.mjs', import.meta.url));
const contact = '4915187654861';

/** The consumer of `docs/examples`, beside an installation that tells what happens in it. */
export function outsideConsumerSuite(world: () => PlainWorld): void {
  it('as the example has it prints what its organization has sent and received, and nothing of others', async () => {
    const { api, network, own } = world();
    const [tenant, other] = [await register(api), await register(api)];
    const profile = await linkProfile(api, tenant, '4915112345861');
    const stranger = await linkProfile(api, other, '4915112345862');
    const me = await tenant.call<{ organizationId: string }>('GET', '/auth/me');
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env['PATH'] ?? '',
        KAFKA_BROKERS: own.urls.brokers.join(','),
        ORGANIZATION: me.body.organizationId,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    let output = '';
    child.stdout.on('data', (data) => (output += String(data)));
    try {
      await network.sendFromContact(contact, { to: stranger.phone, text: 'Not for you' });
      const body = { profileId: profile.profileId, to: contact, text: 'Out' };
      await tenant.call('POST', '/messages/text', body);
      await network.sendFromContact(contact, { to: profile.phone, text: 'In' });
      await eventually(async () => (/"Out"[^]*"In"|"In"[^]*"Out"/.test(output) ? true : undefined));
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
    const told = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; content: { text: string } })
      .map(({ content }) => content.text);
    expect(told.toSorted()).toEqual(['In', 'Out']);
  }, 600_000);
}
