import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import { describeWith, startDistributed, type Distributed } from '@messaging-gateway/testing';
import { sendAndReceive } from './send-and-receive.ts';
import { testServers, type TestServers } from './test-servers.ts';

describeWith(['rabbitmq', 'kafka', 'redis'], 'an installation of several processes', () => {
  let servers: TestServers;
  let network: Simulator;
  let installation: Distributed;
  beforeAll(async () => {
    servers = await testServers();
    network = await startSimulator();
    installation = await startDistributed({
      ...servers,
      environment: {
        SOCKET_ENGINE_URL: network.url,
        SOCKET_ENGINE_ROOT_KEY: network.rootKey,
        SOCKET_ENGINE_CA_FILE: network.caFile,
      },
    });
  }, 600_000);
  afterAll(async () => {
    await installation?.stop();
    await network?.stop();
    await servers?.drop();
  }, 600_000);

  it('sends and receives, and stops in order', async () => {
    await sendAndReceive({ gateway: installation, network });
    const codes = await installation.stop();
    expect(new Set(Object.values(codes))).toEqual(new Set([0]));
  }, 600_000);
});
