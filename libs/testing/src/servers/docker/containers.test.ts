import { describe, expect, it } from '@jest/globals';
import { keeperState } from '../keeper-client.ts';
import { brokerKinds } from '../server.ts';
import type { Server } from '../server.ts';
import { containers } from './containers.ts';

const describeWithDocker = keeperState().docker ? describe : describe.skip;

describeWithDocker('servers in containers', () => {
  it.each(brokerKinds)(
    '%s answers, and comes back on its port after a kill',
    async (kind) => {
      const server: Server = await containers[kind]('');
      await server.kill();
      await server.start();
      expect(server.address.url).toMatch(/:\d+$/);
      await server.drop();
    },
    600_000,
  );
});
