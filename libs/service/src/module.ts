import type { AnswerOf, Caller, EventMark, InternalOperation } from '@messaging-gateway/contracts';
import type { EventStore, JournalReader } from '@messaging-gateway/event-sourcing';
import type { ErasureLog, MediaStore } from '@messaging-gateway/media';
import type { Cache, Clock, EncryptionKeys, Logger, Metrics } from '@messaging-gateway/runtime';
import type { Spans } from '@messaging-gateway/tracing';
import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import type { RequestContext, ServiceDefinition, ServiceStorage } from './definition.ts';
import type { Sql } from './sql.ts';

/** Options of a request to another service. */
export interface AskOptions {
  readonly requestId?: string;
  readonly traceparent?: string | undefined;
  /** Milliseconds from now; default: the contract's. */
  readonly timeoutMs?: number;
  /** Milliseconds since 1970; wins over `timeoutMs`. */
  readonly deadline?: number;
  /** The replica that must answer (see `OperationBus.request`). */
  readonly route?: string;
  /** How long to wait for a replica to serve the route, milliseconds. Default: that of the ports (see `Ports.holdMs`). */
  readonly holdMs?: number;
  /** The time for the answer counts from the try that finds a replica: the hold comes on top of it. */
  readonly timeAfterHold?: boolean;
  /** Asked before each further try; false gives the request up. */
  readonly isStillHeld?: () => boolean;
  readonly caller?: Caller;
  /** Receives the names of the events that the owner raised, before the call returns (see `RequestContext.raised`). */
  readonly raised?: (marks: readonly EventMark[]) => void;
}

/** Tools that every service is given when it is connected. */
export interface ServiceTools<Settings> {
  readonly settings: Settings;
  readonly store: EventStore;
  readonly journal: JournalReader;
  readonly sql: Sql;
  /** Carries out a statement without a limit to its time, for upkeep that nobody waits for; `signal` ends it. */
  readonly patiently: (statement: string, signal: AbortSignal) => Promise<void>;
  /**
   * Another manager of the service's entities, for a job or a reaction; a request has its own (see `RequestContext`). One
   * without an organization reads only what is given one (`ofOrganization`), or asks for `everyOrganization`.
   *
   * @throws Error when the service has no entities
   */
  readonly em: (organizationId?: string) => EntityManager;
  readonly cache: Cache;
  /** Images, recordings, documents: what is too large for the buses. */
  readonly media: MediaStore;
  /** Whom identity has erased, kept beside the database. Absent: nowhere. */
  readonly erasureLog?: ErasureLog | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** For what leaves the service by other ways than the buses. */
  readonly spans: Spans;
  /** For what a service keeps outside of its journal. */
  readonly encryption: EncryptionKeys;
  /** Asks the owner of an internal operation. @throws Refused what the owner threw */
  readonly ask: <O extends InternalOperation>(
    contract: O,
    body: Static<O['body']>,
    options?: AskOptions,
  ) => Promise<AnswerOf<O>>;
  /** Serves an internal operation for one route only, at run time (the replica that holds a profile). */
  readonly serveRoute: <O extends InternalOperation>(
    contract: O,
    route: string,
    handler: (body: Static<O['body']>, context: RequestContext) => Promise<AnswerOf<O>>,
  ) => Promise<() => Promise<void>>;
}

/** One migration: a name that sorts by time and plain SQL for an empty or older schema; `{schema}` is replaced. */
export interface SqlMigration {
  readonly name: string;
  /** Either `CREATE INDEX CONCURRENTLY …` alone, or what is done in one transaction. */
  readonly sql: string;
  /**
   * Takes away what versions of the program before this `schemaVersion` use. It is carried out when somebody asks for it
   * (`npm run migrate -- contract`), and only when none of those runs any more.
   */
  readonly contract?: number;
}

/** A service before it is connected: what it is called, what it stores, how it is made. */
export interface ServiceModule<Settings> {
  readonly name: string;
  readonly storage: ServiceStorage;
  /** Tables that are read through MikroORM: all but those on the paths of sending and receiving. Default: none. */
  readonly entities?: readonly EntitySchema[];
  /** Oldest first. The tables of the journal and of the buses come from the libraries and are there before. */
  readonly migrations: readonly SqlMigration[];
  /** Facts that the service tells of itself beside being there. Default: none. */
  readonly about?: (settings: Settings) => Readonly<Record<string, string>>;
  connect(tools: ServiceTools<Settings>): ServiceDefinition;
}
