import type { Answer, CallOptions } from '@messaging-gateway/testing';

/** CPU time used until now, milliseconds, and commits of the database. */
export interface Cost {
  /** Processes of the product. */
  readonly services: number;
  readonly postgres: number;
  /** RabbitMQ, Kafka and Redis; 0 in a single process. */
  readonly brokers: number;
  readonly commits: number;
}

/** An empty gateway with throttles off, in one way of running it. */
export interface Installation {
  /** `http://127.0.0.1:<port>` */
  readonly host: string;
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer<Body>>;
  cost(): Promise<Cost>;
  /** Of all processes of the product. */
  residentMiB(): number;
  /** SIGTERM to what runs, without waiting: nothing is left when a measurement fails. */
  abandon(): void;
  end(): Promise<void>;
}

/** Where a simulated network is. */
type NetworkAddress = { readonly url: string; readonly rootKey: string; readonly caFile: string };

/** Settings of every installation that is measured. */
export const measuredSettings = (network: NetworkAddress) => ({
  SOCKET_ENGINE_URL: network.url,
  SOCKET_ENGINE_ROOT_KEY: network.rootKey,
  SOCKET_ENGINE_CA_FILE: network.caFile,
  WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  RATE_LIMIT_GLOBAL: 'off',
  RATE_LIMIT_AUTH: 'off',
  RATE_LIMIT_MAX: '0',
  LOG_LEVEL: 'warn',
});
