import type { GroupMember, KafkaClient, MemberListener, PartitionOffset, RecordBatch } from './client.ts';
import { recordOf } from './record.ts';

/** A member as a test sees it from the broker's side. */
export interface FakeMember {
  readonly listener: MemberListener;
  readonly paused: Set<string>;
  /** So many commits are refused from now on. */
  refusals: number;
  end(reason: unknown): void;
}

/** A cluster that does what a test says: for what real brokers do only now and then. */
export class FakeCluster implements KafkaClient {
  readonly commits: (readonly PartitionOffset[])[] = [];
  readonly #arrivals: FakeMember[] = [];
  #arrived: () => void = () => undefined;

  /** Members, as they join. */
  readonly joined = {
    next: async (): Promise<FakeMember> => {
      for (;;) {
        const member = this.#arrivals.shift();
        if (member !== undefined) return member;
        await new Promise<void>((resolve) => (this.#arrived = resolve));
      }
    },
  };

  /** Records whose data say their offsets. */
  batch(topic: string, partition: number, offsets: readonly number[]): RecordBatch {
    const records = offsets.map((n) => {
      const told = {
        id: `${n}`,
        type: topic,
        version: 1,
        source: 's',
        organizationId: 'o',
        sequence: `${n}`,
        time: '',
      };
      const { key, value } = recordOf({ ...told, key: 'key', data: { n } }, topic);
      return { offset: BigInt(n), key, value };
    });
    const next = (records.at(-1)?.offset ?? -1n) + 1n;
    return { topic, partition, records, next, end: next };
  }

  topics = async () => new Map([['k', 2]]);
  createTopics = async () => undefined;
  topicConfig = async () => new Map<string, string>();
  setTopicConfig = async () => undefined;
  raisePartitions = async () => undefined;
  ends = async () => [];
  committed = async () => [];
  producer = (): never => {
    throw new Error('Nothing is told in this test.');
  };
  close = async () => undefined;

  async join(_group: string, _topics: readonly string[], listener: MemberListener): Promise<GroupMember> {
    const paused = new Set<string>();
    let end: (reason: unknown) => void = () => undefined;
    const ended = new Promise<unknown>((resolve) => (end = resolve));
    const member: FakeMember = { listener, paused, refusals: 0, end: (reason) => end(reason) };
    setImmediate(() => {
      this.#arrivals.push(member);
      this.#arrived();
    });
    return {
      ended,
      silentMs: () => 0,
      commit: async (offsets) => {
        if (member.refusals-- > 0) throw new Error('The group is rebalancing.');
        this.commits.push(offsets);
      },
      pause: (topic, partition) => void paused.add(`${topic} ${partition}`),
      resume: (topic, partition) => void paused.delete(`${topic} ${partition}`),
      close: async () => undefined,
    };
  }
}
