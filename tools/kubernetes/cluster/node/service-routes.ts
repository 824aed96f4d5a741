import { writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import type { KubernetesApi, KubernetesObject } from '../api.ts';
import { boundAddress, serviceAddress } from './addresses.ts';

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

interface RoutesOptions {
  readonly api: KubernetesApi;
  /** File that names Services for all containers. */
  readonly hosts: string;
  readonly signal: AbortSignal;
}

/** Names and addresses of Services, as the DNS and kube-proxy of a cluster provide them: connections go to the ready pods in turn. */
export async function routeServices({ api, hosts, signal }: RoutesOptions): Promise<void> {
  const servers = new Map<string, Server>();
  const addresses = new Map<string, string>();
  let slices: readonly KubernetesObject[] = [];
  const open = (services: readonly KubernetesObject[]): void => {
    for (const { metadata, spec } of services) {
      if (spec.selector === undefined) continue;
      const address = addresses.get(metadata.uid) ?? serviceAddress(addresses.size + 1);
      addresses.set(metadata.uid, address);
      for (const { name, port } of spec.ports) {
        const key = `${address}:${port}`;
        if (servers.has(key)) continue;
        const here = (): Endpoint[] => endpointsOf(slices, metadata.namespace, metadata.name, name);
        servers.set(key, forward(address, port, here));
      }
    }
    const lines = services.map(({ metadata }) => `${addresses.get(metadata.uid) ?? '127.0.0.1'} ${metadata.name}`);
    writeFileSync(hosts, ['127.0.0.1 localhost', ...lines, ''].join('\n'));
  };
  await Promise.all([
    api.follow('/api/v1/services', signal, open),
    api.follow('/apis/discovery.k8s.io/v1/endpointslices', signal, (all) => (slices = all)),
  ]);
  for (const server of servers.values()) server.close();
}

/** Where requests to a port of a Service go: ready pods that are not about to end. */
export function endpointsOf(
  slices: readonly KubernetesObject[],
  namespace: string,
  service: string,
  port: string,
): Endpoint[] {
  const own = slices.filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === service,
  ) as unknown as Slice[];
  return own.flatMap(({ endpoints, ports }) => {
    const number = ports?.find(({ name }) => name === port)?.port;
    if (number === undefined) return [];
    const open = (endpoints ?? []).filter(
      ({ conditions }) => conditions.ready === true && conditions.terminating !== true,
    );
    return open.flatMap(({ addresses }) =>
      addresses.map((address) => ({ address: boundAddress(address), port: number })),
    );
  });
}

interface Slice {
  readonly endpoints:
    | readonly {
        readonly addresses: readonly string[];
        readonly conditions: { readonly ready?: boolean; readonly terminating?: boolean };
      }[]
    | null;
  readonly ports: readonly { readonly name: string; readonly port: number }[] | null;
}

function forward(host: string, port: number, endpoints: () => readonly Endpoint[]): Server {
  let turn = 0;
  const server = createServer((client) => {
    const all = endpoints();
    const target = all[turn++ % Math.max(1, all.length)];
    if (target === undefined) return void client.destroy();
    const pod = connect(target.port, target.address);
    for (const [one, other] of [
      [client, pod],
      [pod, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.on('error', (error) => process.stdout.write(`${host}:${port}: ${error.message}\n`));
  return server.listen(port, host);
}
