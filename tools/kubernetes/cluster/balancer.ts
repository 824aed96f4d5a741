import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesApi, KubernetesObject } from './api.ts';
import { endpointsOf } from './node/service-routes.ts';

/** A balancer before the gateways, like an ingress controller: it hears of pods some time later, and tries nothing again. */
export interface Balancer {
  readonly url: string;
  /** Requests that it could bring nowhere, or that were broken off, and why. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

interface BalancerOptions {
  readonly api: KubernetesApi;
  readonly namespace: string;
  readonly service: string;
  /** How late it hears of a change, milliseconds. */
  readonly lagMs: number;
}

export async function startBalancer({ api, namespace, service, lagMs }: BalancerOptions): Promise<Balancer> {
  const ending = new AbortController();
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const refused: string[] = [];
  let targets: ReturnType<typeof endpointsOf> = [];
  const learn = async (slices: readonly KubernetesObject[]): Promise<void> => {
    const next = endpointsOf(slices, namespace, service, 'http');
    await sleep(lagMs);
    targets = next;
  };
  const following = api.follow(
    '/apis/discovery.k8s.io/v1/endpointslices',
    ending.signal,
    (slices) => void learn(slices),
  );
  let turn = 0;
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const target = targets[turn++ % Math.max(1, targets.length)];
    const refuse = (why: string): void => {
      refused.push(`${request.method} ${request.url} at ${target?.address ?? 'nobody'}: ${why}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ why }));
    };
    if (target === undefined) return refuse('no gateway');
    const { method, url, headers } = request;
    const passed = ask({ host: target.address, port: target.port, method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', (error) => refuse(error.message));
      answer.pipe(response);
    });
    passed.on('error', (error: NodeJS.ErrnoException) => refuse(error.code ?? error.message));
    request.pipe(passed);
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    stop: async () => {
      ending.abort();
      await following;
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
