/** A record on its way to a topic. Its partition comes from its key, as every client of Kafka computes it (murmur2). */
export interface RecordToSend {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A record as it was read. */
export interface ReadRecord {
  readonly offset: bigint;
  readonly key: string | undefined;
  readonly value: string | undefined;
  /** Of the header `seal`. */
  readonly seal?: string | undefined;
}

/** Records of one partition, in order. */
export interface RecordBatch {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly ReadRecord[];
  /** The next offset behind the batch, which also passes what is no record (markers). */
  readonly next: bigint;
  /** Offset behind the last record of the partition. */
  readonly end: bigint;
}

/** A place in a partition: everything before the offset. */
export interface PartitionOffset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** Partitions by topic. */
export type Assignment = ReadonlyMap<string, readonly number[]>;

export interface TopicSpec {
  readonly topic: string;
  readonly partitions: number;
  readonly replication: number;
  readonly config: Readonly<Record<string, string>>;
}

/** Sends one portion at a time. After a rejected one its state is unknown: it is closed, and another one is opened. */
export interface RecordProducer {
  /** Resolves when all replicas in sync have all of them. */
  send(records: readonly RecordToSend[]): Promise<void>;
  close(): Promise<void>;
}

/** Events in the life of a member of a consumer group. */
export interface MemberListener {
  /** After every rebalance. `same`: the member was in the group all the time, so nobody had its partitions meanwhile. */
  assigned(assignment: Assignment, same: boolean): void;
  /**
   * After a rebalance records may come again, from the last commit. Nothing more is read until it resolves, which it
   * does within moments; it never rejects.
   */
  read(batch: RecordBatch): Promise<void>;
}

/** A member of a consumer group. It keeps its membership by itself, however slow the handling is. */
export interface GroupMember {
  /** Resolves with the reason when the member has ended by itself, or has gone silent. */
  readonly ended: Promise<unknown>;
  /** Milliseconds since the broker has last confirmed the membership. */
  silentMs(): number;
  /** Refused by the broker when the group has gone on to another assignment without this member. */
  commit(offsets: readonly PartitionOffset[]): Promise<void>;
  pause(topic: string, partition: number): void;
  resume(topic: string, partition: number): void;
  close(): Promise<void>;
}

/**
 * The port to a client of Kafka: what the event bus needs, and all that a client has to do to take kafkajs's place. Every
 * method rejects while no broker can be reached.
 */
export interface KafkaClient {
  /** Number of partitions of each topic there is. */
  topics(): Promise<ReadonlyMap<string, number>>;
  /** Resolves when their brokers know them. Topics that are there already stay as they are. */
  createTopics(topics: readonly TopicSpec[]): Promise<void>;
  /** Settings of a topic by name. What was changed a moment ago may not be seen yet. */
  topicConfig(topic: string): Promise<ReadonlyMap<string, string>>;
  /** Changes these settings of a topic; the others stay as they are. */
  setTopicConfig(topic: string, config: Readonly<Record<string, string>>): Promise<void>;
  raisePartitions(topic: string, partitions: number): Promise<void>;
  /** Offsets behind the last records. */
  ends(topics: readonly string[]): Promise<readonly PartitionOffset[]>;
  /** Offsets that a group has committed. */
  committed(group: string, topics: readonly string[]): Promise<readonly PartitionOffset[]>;
  producer(): Promise<RecordProducer>;
  /** Joins a consumer group. Partitions for which the group has committed nothing begin with their first record. */
  join(group: string, topics: readonly string[], listener: MemberListener): Promise<GroupMember>;
  close(): Promise<void>;
}
