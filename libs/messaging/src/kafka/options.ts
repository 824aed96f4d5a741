import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Sealing } from '../sealing.ts';

/** How a managed cluster asks who connects. */
interface KafkaCredentials {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

export interface KafkaConnectionOptions {
  /** `host:port` of some brokers; the others are learned from them. */
  readonly brokers: readonly string[];
  /** Name of this process in the brokers' logs and quotas. */
  readonly clientId: string;
  /** TLS. `ca`: PEM of the authority that signed the brokers' certificates; default: those that Node trusts. */
  readonly tls?: boolean | { readonly ca: string };
  readonly credentials?: KafkaCredentials;
  /** Where a broker is reached that says it is elsewhere (tunnels). Default: where it says. */
  readonly reachedAt?: (broker: Address) => Address;
  /** How long a broker may take to answer, milliseconds. Default 8 000. */
  readonly requestTimeoutMs?: number;
  /**
   * Session timeout of group members, milliseconds: partitions of a killed member go to others after this time. Default 10 000.
   * The brokers refuse values below `group.min.session.timeout.ms`.
   */
  readonly sessionTimeoutMs?: number;
  /** How long a fetch waits for records, milliseconds. A stop may take this long. Default 500. */
  readonly fetchWaitMs?: number;
  readonly log: Logger;
}

/** Partitions, copies and retention of topics. */
export interface TopicOptions {
  /** Put before the names of topics and groups, so that several installations share a cluster. Default: nothing. */
  readonly topicPrefix?: string;
  /** Partitions of a new topic. */
  readonly partitions: number;
  /** Copies of each record; in production 3. */
  readonly replication: number;
  /** How long a record is kept at most, days. */
  readonly retentionDays: number;
}

export interface KafkaOptions extends KafkaConnectionOptions, TopicOptions {
  readonly clock: Clock;
  /** Events are sealed, and believed only with a seal. Default: whoever can write to the topics is believed. */
  readonly sealing?: Sealing | undefined;
  /** In tests: waits before each event, milliseconds, so that kinds overtake each other. */
  readonly shuffle?: () => number;
}
