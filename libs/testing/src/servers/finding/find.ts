import { containers } from '../docker/containers.ts';
import { dockerAnswers } from '../docker/container-server.ts';
import { launchPostgres } from '../installed/postgres.ts';
import { brokerKinds } from '../server.ts';
import type { BrokerKind, Launch, ServerAddress, ServerKind } from '../server.ts';
import { faultOfGiven, given } from './given.ts';
import { installed } from './installed.ts';

/** How a run comes to its servers of one kind. */
export interface Found {
  /** Named by the environment: shared by all tests, never started or ended here. */
  readonly given?: ServerAddress;
  /** Ways to start one, best first. */
  readonly ways: readonly Launch[];
  /** Ways to start one that takes connections with TLS: not in a container. */
  readonly securedWays: readonly Launch[];
  /** Advice, in one line, when no test can have one: what to install. */
  readonly missing?: string;
}

export interface Finding {
  /** A Docker engine answers. */
  readonly docker: boolean;
  readonly servers: Readonly<Record<ServerKind, Found>>;
}

/**
 * Decides once per run: given URLs, else Docker where an engine answers, else what is installed on this machine.
 * Servers of a test's own (for outages) are started even where a shared one is given.
 */
export async function findServers(): Promise<Finding> {
  const docker = await dockerAnswers();
  const found = await Promise.all(brokerKinds.map(async (kind) => [kind, await findBroker(kind, docker)] as const));
  const brokers = Object.fromEntries(found) as Record<BrokerKind, Found>;
  return { docker, servers: { ...brokers, postgres: findPostgres() } };
}

async function findBroker(kind: BrokerKind, docker: boolean): Promise<Found> {
  const address = given(kind);
  const fault = address === undefined ? undefined : await faultOfGiven(kind, address);
  // What is installed also helps out when an image cannot be had.
  const missing = docker ? undefined : installed[kind].missing();
  const here = missing === undefined ? [installed[kind].launch] : [];
  const ways = [...(docker ? [containers[kind]] : []), ...here];
  const securedWays = docker || kind === 's3' ? [] : here;
  if (fault !== undefined) return { ways, securedWays, missing: fault };
  return {
    ways,
    securedWays,
    ...(address !== undefined ? { given: address } : missing !== undefined ? { missing } : {}),
  };
}

/** Real PostgreSQL comes with the project's dependencies, so it needs no search. */
function findPostgres(): Found {
  const address = given('postgres');
  return {
    ways: [launchPostgres],
    securedWays: [launchPostgres],
    ...(address === undefined ? {} : { given: address }),
  };
}
