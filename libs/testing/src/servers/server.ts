/** A server that tests talk to. */
export type ServerKind = 'rabbitmq' | 'kafka' | 'redis' | 's3' | 'postgres';

/** The servers that may be absent; PostgreSQL comes with the project's dependencies. */
export type BrokerKind = Exclude<ServerKind, 'postgres'>;

export const brokerKinds: readonly BrokerKind[] = ['rabbitmq', 'kafka', 'redis', 's3'];

export interface ServerAddress {
  /** Connection string; of Kafka `host:port` of its brokers, comma separated; of S3 with both keys as user and password. */
  readonly url: string;
  /** Of RabbitMQ: base URL of its management interface with user and password, without `/api`. */
  readonly management?: string;
  /** Of a secured server: the same with TLS, user and password; of Kafka `host:port`. */
  readonly secureUrl?: string;
}

/** A running server and what can be done to it. It keeps address and data until `drop`. */
export interface Server {
  readonly address: ServerAddress;
  /** SIGKILL, and waits for its end. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Stops all its work until `resume`; its connections stay open and silent. PostgreSQL can't be paused. */
  pause?(): Promise<void>;
  resume?(): Promise<void>;
  /** Starts it again and waits until it answers. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  drop(): Promise<void>;
}

/** Starts a server of one kind with its data below a folder that it makes. Only who is secured asks for TLS. */
export type Launch = (folder: string, secured?: Secured) => Promise<Server>;

/** Certificate and user of a server that takes connections with TLS, beside plain ones, and whom it lets in. PEM. */
export interface Secured {
  readonly key: string;
  readonly certificate: string;
  readonly authority: string;
  readonly user: string;
  readonly password: string;
}

/** The servers that can be secured. */
export type SecuredKind = Exclude<ServerKind, 's3'>;
