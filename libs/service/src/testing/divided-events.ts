import { createHash } from 'node:crypto';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { ConsumerHome, EventBus, EventSource, Subscription } from '@messaging-gateway/messaging';
import { Unavailable } from '@messaging-gateway/runtime';

/**
 * To whom an event goes: `one` replica by its kind and key, as over partitions; `all`, as when partitions move in the
 * middle; to each replica in `turns`, as when they move all the time.
 */
export type Division = 'one' | 'all' | 'turns';

interface Member {
  readonly subscription: Subscription;
  readonly running: Set<Promise<void>>;
}

/** One event bus for all replicas of a service: they make up one consumer group, and one of them tells the journal. */
export class DividedEvents {
  readonly #bus: EventBus;
  readonly #home: ConsumerHome;
  readonly #division: Division;
  readonly #members: Member[] = [];
  readonly #sources: EventSource[] = [];
  #turn = 0;
  #taking: Promise<() => Promise<void>> | undefined;
  #telling: Promise<() => Promise<void>> | undefined;

  /** @param home of the group, which outlives each of its replicas */
  constructor(bus: EventBus, home: ConsumerHome, division: Division) {
    this.#bus = bus;
    this.#home = home;
    this.#division = division;
  }

  /** The bus as each replica sees it. */
  readonly bus: EventBus = {
    subscribe: (subscription) => this.#subscribe(subscription),
    publishFrom: (source) => this.#publishFrom(source),
    consumedUpTo: (schema) => this.#bus.consumedUpTo?.(schema) ?? [],
  };

  async #subscribe(subscription: Subscription): Promise<() => Promise<void>> {
    const member: Member = { subscription, running: new Set() };
    this.#members.push(member);
    this.#taking ??= this.#bus.subscribe({
      ...subscription,
      home: this.#home,
      handler: (event) => this.#divide(event),
      onGivenUp: (givenUp) => this.#members[0]?.subscription.onGivenUp?.(givenUp),
    });
    await this.#taking;
    return async () => {
      this.#members.splice(this.#members.indexOf(member), 1);
      await Promise.allSettled(member.running);
      if (this.#members.length > 0) return;
      await (
        await this.#taking
      )?.();
      this.#taking = undefined;
    };
  }

  async #divide(event: EventEnvelope): Promise<void> {
    if (this.#members.length === 0) throw new Unavailable('No replica is there.');
    const partition = this.#division === 'turns' ? this.#turn++ : partitionOf(event);
    const chosen =
      this.#division === 'all' ? [...this.#members] : [this.#members[partition % this.#members.length] as Member];
    await Promise.all(chosen.map((member) => handle(member, event)));
  }

  async #publishFrom(source: EventSource): Promise<() => Promise<void>> {
    this.#sources.push(source);
    this.#telling ??= this.#bus.publishFrom(source);
    await this.#telling;
    return async () => {
      const isTelling = this.#sources[0] === source;
      this.#sources.splice(this.#sources.indexOf(source), 1);
      if (!isTelling) return;
      await (
        await this.#telling
      )?.();
      const [next] = this.#sources;
      this.#telling = next && this.#bus.publishFrom(next);
    };
  }
}

const partitionOf = ({ type, key }: EventEnvelope): number =>
  createHash('sha256').update(`${type} ${key}`).digest().readUInt32BE();

async function handle({ subscription, running }: Member, event: EventEnvelope): Promise<void> {
  const handled = subscription.handler(event);
  running.add(handled);
  await handled.finally(() => running.delete(handled));
}
