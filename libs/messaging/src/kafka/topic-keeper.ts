import type { Logger } from '@messaging-gateway/runtime';
import type { KafkaClient, TopicSpec } from './client.ts';
import type { TopicOptions } from './options.ts';
import { topicSpec } from './topic-spec.ts';

/**
 * Makes the topics that are missing; nothing relies on the broker making them by itself. Existing topics are left as
 * they are: more partitions would put later events of a key elsewhere than earlier ones, and break their order, and a
 * shorter retention deletes. Both are for a person to decide (`prepareTopics`); a difference is logged once.
 */
export class TopicKeeper {
  readonly #client: KafkaClient;
  readonly #options: TopicOptions;
  readonly #log: Logger;
  readonly #known = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #small = new Set<string>();

  constructor(client: KafkaClient, options: TopicOptions, log: Logger) {
    this.#client = client;
    this.#options = options;
    this.#log = log;
  }

  /**
   * @returns those that are there now. One that may not be made (rights of a managed cluster) is logged once
   * @throws what the brokers' absence throws
   */
  async ensure(topics: readonly string[]): Promise<readonly string[]> {
    const open = topics.filter((topic) => !this.#known.has(topic));
    if (open.length === 0) return topics;
    const there = await this.#client.topics();
    await this.#create(open.filter((topic) => !there.has(topic)));
    for (const topic of open) if (there.has(topic)) this.#found(topic, there.get(topic) ?? 0);
    return topics.filter((topic) => this.#known.has(topic));
  }

  /** Looks again at the next call: the topics may have been deleted. */
  forget(): void {
    this.#known.clear();
  }

  async #create(topics: readonly string[]): Promise<void> {
    if (topics.length === 0) return;
    const specs = topics.map((topic) => topicSpec(topic, this.#options));
    try {
      await this.#client.createTopics(specs);
    } catch (error) {
      const there = await this.#client.topics();
      const missing = topics.filter((topic) => !there.has(topic));
      this.#complain(specs, missing, error);
      for (const topic of topics) if (there.has(topic)) this.#known.add(topic);
      return;
    }
    for (const topic of topics) this.#known.add(topic);
    const { partitions, replication } = this.#options;
    this.#log.info('Topics made', { topics: topics.join(' '), partitions, replication });
  }

  #complain(specs: readonly TopicSpec[], missing: readonly string[], error: unknown): void {
    const news = missing.filter((topic) => !this.#refused.has(topic));
    if (news.length === 0) return;
    for (const topic of news) this.#refused.add(topic);
    const { partitions, replication } = this.#options;
    const reason = `${String(error)} ${((error as { errors?: unknown[] }).errors ?? []).map(String).join('; ')}`.trim();
    this.#log.error('Topics missing: they may not be made here; make them, or allow it', {
      topics: news.join(' '),
      of: specs.length,
      partitions,
      replication,
      reason,
    });
  }

  #found(topic: string, partitions: number): void {
    this.#known.add(topic);
    this.#refused.delete(topic);
    if (partitions >= this.#options.partitions || this.#small.has(topic)) return;
    this.#small.add(topic);
    this.#log.warn('Topic with fewer partitions than configured: raising them breaks the order per key for a moment', {
      topic,
      partitions,
      configured: this.#options.partitions,
    });
  }
}
