import type { EventEnvelope } from '@messaging-gateway/contracts';
import { Delivery } from '../delivery.ts';
import { outageWait } from '../outage-wait.ts';
import { SecondTries, type Again } from '../second-tries.ts';
import type { Assignment, GroupMember, RecordBatch } from './client.ts';
import { firstPlaces, type FirstPlaces } from './first-places.ts';
import type { GroupParts } from './group-parts.ts';
import { kindsOf } from './group-parts.ts';
import type { KindConsumer } from './kind-consumer.ts';
import { atMost, given, pause } from './pause.ts';

/** How often what was handled is committed, milliseconds: a crash repeats that much. */
const commitMs = 250;
/** How often missing topics are looked for, milliseconds. */
const missingMs = 3_000;
/** How long a full partition is waited for before it is let go, milliseconds: others wait with it. */
const roomMs = 50;
/** Without a sign of the broker for so long a member counts as cut off, milliseconds. */
const silentMs = 6_000;
/** A membership that lasted so long was a good one, milliseconds. */
const steadyMs = 30_000;

/**
 * A member of a consumer group, for ever: when it ends, because the broker is away or the client has given up, another
 * one takes its place. Events wait in memory for their handlers, so that slow ones cost no membership.
 */
export class GroupConsumer {
  readonly #parts: GroupParts;
  readonly #group: string;
  readonly #kinds: ReadonlyMap<string, KindConsumer>;
  readonly #delivery: Delivery;
  readonly #secondTries: SecondTries;
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #finished: Promise<void>;
  readonly #begun: Promise<void>;
  #begin: () => void = () => undefined;
  #member: GroupMember | undefined;
  #assignment: Assignment = new Map();
  #first: FirstPlaces | undefined;
  #committing: Promise<void> | undefined;

  constructor(parts: GroupParts) {
    const { spec, names, log } = parts;
    this.#parts = parts;
    this.#group = names.groupOf(spec.group);
    this.#delivery = new Delivery(spec, log);
    this.#kinds = kindsOf(parts, this.#delivery, (topic, partition) => this.#member?.resume(topic, partition));
    const againOf = (kind: string): Again | undefined => {
      const consumer = this.#kinds.get(names.topicOf(kind));
      return consumer && ((event: EventEnvelope) => consumer.again(event));
    };
    this.#secondTries = new SecondTries(spec, this.#delivery, againOf, log);
    this.#begun = new Promise((resolve) => (this.#begin = resolve));
    this.#timer = setInterval(() => void this.#commit(), commitMs).unref();
    this.#finished = this.#run();
  }

  /** Resolves when it is settled where the group begins, if that depends on the moment. */
  async begun(): Promise<void> {
    if (this.#parts.spec.from === 'latest') await Promise.race([this.#begun, this.#finished]);
  }

  /** Whether it gets events now; while none of its topics exists there is nothing to get. */
  get isMember(): boolean {
    return this.#member !== undefined && this.#member.silentMs() < silentMs;
  }

  /** Records not handled yet, by kind, of the partitions that this member has. */
  get lag(): ReadonlyMap<string, number> {
    const { names, spec } = this.#parts;
    return new Map(spec.kinds.map((kind) => [kind, this.#kinds.get(names.topicOf(kind))?.lag ?? 0]));
  }

  /** How long the oldest event in hand has been there, by kind, milliseconds. */
  get oldest(): ReadonlyMap<string, number> {
    const { names, spec } = this.#parts;
    return new Map(spec.kinds.map((kind) => [kind, this.#kinds.get(names.topicOf(kind))?.oldestMs ?? 0]));
  }

  /** Finishes and commits the events in progress; later ones are not begun. */
  async stop(): Promise<void> {
    await Promise.all([this.#secondTries.stop(), ...[...this.#kinds.values()].map((kind) => kind.stop())]);
    clearInterval(this.#timer);
    await atMost(3_000, this.#commitAll());
    this.#stopping.abort();
    await atMost(6_000, this.#finished);
  }

  async #run(): Promise<void> {
    const { faults, topics } = this.#parts;
    const who = `group ${this.#group}`;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      const begun = performance.now();
      const reason = await this.#membership(() => faults.over(who)).catch((error: unknown) => error);
      if (reason === undefined) continue;
      faults.began(who, reason);
      topics.forget();
      failures = performance.now() - begun > steadyMs ? 0 : failures + 1;
      await pause(outageWait(Math.min(failures, 6)), signal);
    }
  }

  /** @returns why the member has ended; undefined: on purpose */
  async #membership(joined: () => void): Promise<unknown> {
    const { client, topics, spec } = this.#parts;
    const there = await topics.ensure([...this.#kinds.keys()]);
    if (there.length === 0) return pause(missingMs, this.#stopping.signal);
    this.#first ??= await firstPlaces(client, this.#group, there, spec.from);
    const left = new AbortController();
    const member = await client.join(this.#group, there, {
      assigned: (assignment, same) => this.#assigned(assignment, same),
      read: (batch) => this.#read(batch),
    });
    this.#member = member;
    try {
      await this.#commitFirst(member);
      joined();
      this.#begin();
      const more = this.#moreTopics(there.length, left.signal);
      return await Promise.race([member.ended, more, given(this.#stopping.signal)]);
    } finally {
      left.abort();
      await atMost(1_000, this.#commitAll());
      this.#member = undefined;
      this.#assigned(new Map(), false);
      await atMost(5_000, member.close());
    }
  }

  #assigned(assignment: Assignment, same: boolean): void {
    this.#assignment = assignment;
    // A key that another member has set aside comes with its partition.
    void this.#delivery.delayed.look().catch(() => undefined);
    for (const [topic, kind] of this.#kinds) {
      const partitions = assignment.get(topic) ?? [];
      kind.assign(partitions, same, (partition) => this.#first?.(topic, partition));
      // The client may remember a pause of a partition that was away meanwhile.
      for (const partition of partitions)
        if (kind.isPaused(partition)) this.#member?.pause(topic, partition);
        else this.#member?.resume(topic, partition);
    }
  }

  /** A full partition is let go only when it stays full: to take it up again costs a round of the client. */
  async #read(batch: RecordBatch): Promise<void> {
    const { topic, partition } = batch;
    const kind = this.#kinds.get(topic);
    if (kind?.read(batch) !== true) return;
    const until = performance.now() + roomMs;
    while (kind.isPaused(partition) && performance.now() < until) await pause(5, this.#stopping.signal);
    if (kind.isPaused(partition)) this.#member?.pause(topic, partition);
  }

  /** Resolves when topics have come that were missing. */
  async #moreTopics(count: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (count === this.#kinds.size) return given(signal);
      await pause(missingMs, signal);
      const there = await this.#parts.topics.ensure([...this.#kinds.keys()]).catch(() => []);
      if (there.length > count) return;
    }
  }

  /** Remembers where the group begins, so that it is no longer new. */
  async #commitFirst(member: GroupMember): Promise<void> {
    const places = [...this.#assignment].flatMap(([topic, partitions]) =>
      partitions.flatMap((partition) => {
        const offset = this.#first?.(topic, partition);
        return offset === undefined ? [] : [{ topic, partition, offset }];
      }),
    );
    if (
      places.length === 0 ||
      (await this.#parts.client.committed(this.#group, [...this.#assignment.keys()])).length > 0
    )
      return;
    await member.commit(places);
  }

  async #commitAll(): Promise<void> {
    await this.#committing;
    await this.#commit();
  }

  /** Commits where the partitions stand. What fails is committed the next time, by whoever has the partition then. */
  #commit(): Promise<void> {
    this.#committing ??= this.#commitNow()
      .catch((error: unknown) =>
        this.#parts.log.debug('Offsets not committed yet', { group: this.#group, reason: String(error) }),
      )
      .finally(() => (this.#committing = undefined));
    return this.#committing;
  }

  async #commitNow(): Promise<void> {
    // On a turn of its own: the client takes up an assignment and tells of it within one.
    await new Promise((resolve) => setImmediate(resolve));
    const places = [...this.#kinds.values()].flatMap((kind) => kind.toCommit);
    if (this.#member === undefined || places.length === 0) return;
    await this.#member.commit(places);
    for (const { done } of places) done();
  }
}
