import { askKeeper } from './keeper-client.ts';
import type { Change, Owned } from './keeper/keeper.ts';
import type { Secured, SecuredKind, ServerAddress, ServerKind } from './server.ts';

/** A server of a test's own, to be killed and started again; it comes back on the same port with the same data. */
export interface OwnServer {
  /** Connection string; of Kafka `host:port`. */
  readonly url: string;
  /** SIGKILL, and waits for its end. */
  kill(): Promise<void>;
  /** Starts it again after `kill` or `stop`, and waits until it answers. */
  start(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it and removes its data. A run also ends what was not dropped. */
  drop(): Promise<void>;
}

/** RabbitMQ alone for this test; takes 5 to 10 s. `management` is a base URL with user and password. */
export async function ownRabbitMq(): Promise<OwnServer & { readonly management: string }> {
  const { address, server } = await own('rabbitmq');
  return { management: address.management ?? '', ...server };
}

/** Kafka, whose clients are led to its own address, so that a `severable` way cannot stand before it. */
export interface OwnKafka extends OwnServer {
  readonly brokers: readonly string[];
  /** From now on it does nothing; its connections stay open and silent. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Kafka alone for this test; takes 5 to 10 s. */
export async function ownKafka(): Promise<OwnKafka> {
  const { address, server, change } = await own('kafka');
  return {
    brokers: address.url.split(','),
    ...server,
    pause: () => change('pause'),
    resume: () => change('resume'),
  };
}

/** Redis alone for this test; what it acknowledged survives a kill. */
export async function ownRedis(): Promise<OwnServer> {
  return (await own('redis')).server;
}

/** An S3 server alone for this test; `url` carries both keys as user and password. */
export async function ownS3(): Promise<OwnServer> {
  return (await own('s3')).server;
}

/** PostgreSQL alone for this test. */
export async function ownPostgres(): Promise<OwnServer> {
  return (await own('postgres')).server;
}

/** A server that takes connections with TLS and lets one user in; `url` leads to it without TLS. */
export interface SecuredServer extends OwnServer {
  /** The URL with TLS, user and password; of Kafka `host:port`. */
  readonly secureUrl: string;
  /** Certificate and user, one for all secured servers of a run. */
  readonly secured: Secured;
}

/**
 * A server alone for this test, with a certificate for 127.0.0.1 and localhost from an authority that nobody trusts yet.
 * Kafka asks for user and password on its secured listener only, by SASL with each mechanism.
 */
export async function ownSecured(kind: SecuredKind): Promise<SecuredServer> {
  const { address, server, secured } = await own(kind, '/secured');
  if (address.secureUrl === undefined || secured === undefined) throw new Error(`${kind} takes no TLS here.`);
  return { ...server, secureUrl: address.secureUrl, secured };
}

interface Own {
  readonly address: ServerAddress;
  readonly secured?: Secured;
  readonly server: OwnServer;
  readonly change: (name: Change) => Promise<void>;
}

async function own(kind: ServerKind, manner = ''): Promise<Own> {
  const { id, address, secured } = await askKeeper<Owned>(`own/${kind}${manner}`);
  const change = async (name: Change): Promise<void> => void (await askKeeper(`servers/${id}/${name}`));
  return {
    address,
    ...(secured && { secured }),
    change,
    server: {
      url: address.url,
      kill: () => change('kill'),
      start: () => change('start'),
      stop: () => change('stop'),
      drop: () => change('drop'),
    },
  };
}
