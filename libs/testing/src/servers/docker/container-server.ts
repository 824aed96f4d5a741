import { GenericContainer, getContainerRuntimeClient } from 'testcontainers';
import { freePort } from '@messaging-gateway/postgres';
import type { Server, ServerAddress } from '../server.ts';
import { untilReady } from '../until-ready.ts';
import type { Probe } from '../until-ready.ts';

export interface ContainerPlan {
  readonly image: string;
  /** Ports inside of the container that tests reach. */
  readonly ports: readonly number[];
  readonly command?: readonly string[];
  /** @param ports the host's ports, in the order of `ports` */
  environment(host: string, ports: readonly number[]): Readonly<Record<string, string>>;
  address(host: string, ports: readonly number[]): ServerAddress;
  ready(address: ServerAddress): Probe;
}

/** A Docker engine answers, and `TEST_DOCKER=off` does not forbid it. */
export async function dockerAnswers(): Promise<boolean> {
  if (process.env['TEST_DOCKER'] === 'off') return false;
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

/** A server in a container that testcontainers removes, at the latest when this process has ended. */
export async function launchContainer(plan: ContainerPlan): Promise<Server> {
  const client = await getContainerRuntimeClient();
  const { host } = client.info.containerRuntime;
  const ports = await Promise.all(plan.ports.map(() => freePort()));
  const address = plan.address(host, ports);
  const container = await new GenericContainer(plan.image)
    .withExposedPorts(...plan.ports.map((inside, index) => ({ container: inside, host: ports[index] ?? 0 })))
    .withEnvironment({ ...plan.environment(host, ports) })
    .withCommand([...(plan.command ?? [])])
    .withStartupTimeout(180_000)
    .start();
  const handle = client.container.getById(container.getId());
  const ready = async (): Promise<void> => {
    if (await untilReady(plan.ready(address), () => false)) return;
    throw new Error(`A container of ${plan.image} started, but does not answer.`);
  };
  await ready();
  let running = true;
  const ifRunning = async (end: () => Promise<unknown>): Promise<void> => {
    if (!running) return;
    running = false;
    await end();
    await handle.wait();
  };
  return {
    address,
    kill: () => ifRunning(() => handle.kill({ signal: 'SIGKILL' })),
    stop: () => ifRunning(() => handle.stop({ t: 30 })),
    start: async () => {
      if (running) return;
      await handle.start();
      running = true;
      await ready();
    },
    pause: async () => void (await handle.pause()),
    resume: async () => void (await handle.unpause()),
    drop: async () => void (await container.stop({ timeout: 0, remove: true, removeVolumes: true })),
  };
}
