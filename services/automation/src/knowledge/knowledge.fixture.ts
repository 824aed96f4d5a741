import { Readable } from 'node:stream';
import {
  DescribeProfile,
  EraseAutomationData,
  IngestKnowledgeFile,
  IngestKnowledgeText,
  ListKnowledge,
  ReadAutomationData,
  mediaKey,
  SearchKnowledge,
  type Caller,
  type Operation,
  type Page,
  type StoredFileOf,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { feature, service, type ServiceTools } from '@messaging-gateway/service';
import { testCaller, testService, type CallOptions, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import type { AutomationSettings } from '../config.ts';
import { knowledgeTables } from './20261124010000-knowledge.migration.ts';
import { DocumentEntity } from './document-entity.ts';
import type { ShownDocument } from './documents.ts';
import type { Embeddings } from './embeddings.ts';
import { connectKnowledge } from './feature.ts';
import type { Ingested } from './ingesting.ts';
import { DocumentReader } from './reading/document-reader.ts';
import type { Hit } from './searching.ts';

/** Words that mean the same, one after the other; each line is a direction of its own. */
const meanings = [
  ['deliver', 'delivery', 'delivered', 'ship', 'shipping', 'parcel'],
  ['price', 'cost', 'costs', 'money', 'cheap'],
  ['open', 'hours', 'closed', 'monday'],
];

/** A model that knows few words: whoever means the same lies near. */
export class FewWords implements Embeddings {
  model: string | undefined = 'few-words';
  /** Texts that it was asked about, by model. */
  readonly asked = new Map<string, string[]>();
  /** Texts it refuses from now on. */
  refuses = false;
  /** Numbers of a vector, of this or of another model. */
  dimensions = 4;
  /** Held back until it is resolved: what any model is asked for, and what some are. */
  gate: Promise<unknown> = Promise.resolve();
  readonly gates = new Map<string, Promise<unknown>>();
  readonly #listeners: ((organizationId: string) => Promise<void>)[] = [];

  readonly whenChanged = (listener: (organizationId: string) => Promise<void>): void =>
    void this.#listeners.push(listener);

  /** Tells the process that has changed something. */
  async tell(organizationId: string): Promise<void> {
    await this.#listeners[0]?.(organizationId);
  }

  readonly modelOf = (): Promise<string | undefined> => Promise.resolve(this.model);

  readonly embed = async (_: string, texts: readonly string[], model: string): Promise<number[][]> => {
    await Promise.all([this.gate, this.gates.get(model)]);
    if (this.refuses) throw new Refused('SERVICE_UNAVAILABLE', 'The provider fails.');
    this.asked.set(model, [...(this.asked.get(model) ?? []), ...texts]);
    return texts.map((text) => {
      const words = text.toLowerCase().split(/[^a-z]+/);
      const found = meanings.map((same) => words.filter((word) => same.includes(word)).length);
      const rest = this.dimensions - found.length + (model === 'few-words' ? 0 : 1);
      return [...found, ...Array.from({ length: rest }, () => 0.01)];
    });
  };
}

/** Limits of reading a file: lower than usual, as bombs are to go off soon. */
const limits = { time: 10_000, memory: 256 * 1_048_576 };

/** Knowledge on a real PostgreSQL, with profiles faked. */
export class KnowledgeFixture {
  readonly service: TestService;
  readonly model: FewWords;
  readonly gone: Set<string>;
  caller: Caller = testCaller();
  profileId = v7();

  private constructor(parts: Pick<KnowledgeFixture, 'service' | 'model' | 'gone'>) {
    this.service = parts.service;
    this.model = parts.model;
    this.gone = parts.gone;
  }

  static async start(replicas = 1): Promise<KnowledgeFixture> {
    const [model, gone] = [new FewWords(), new Set<string>()];
    const knowledge = feature({
      name: 'knowledge',
      migrations: [knowledgeTables],
      entities: [DocumentEntity],
      connect: (given: ServiceTools<AutomationSettings>) => connectKnowledge(given, model, new DocumentReader(limits)),
    });
    const personalData = { erase: EraseAutomationData, read: ReadAutomationData };
    const started = await testService(service('automation', { features: [knowledge], personalData }), {
      replicas,
      settings: { maxAgeSeconds: 300, allowPrivateTargets: true, eventRetentionDays: 7 },
      others: (fake) =>
        fake(DescribeProfile, ({ profileId }) => {
          if (gone.has(profileId)) throw new Refused('NOT_FOUND', 'There is no such profile.');
          return { profileId, status: 'connected' as const };
        }),
    });
    return new KnowledgeFixture({ service: started, model, gone });
  }

  /** Another organization with a model that was never asked. */
  renew(): void {
    this.caller = testCaller();
    this.profileId = v7();
    this.model.asked.clear();
    this.model.refuses = false;
    this.model.model = undefined;
    this.model.dimensions = 4;
    this.model.gate = Promise.resolve();
  }

  /** The settings of the organization were changed. */
  changed(): Promise<void> {
    return this.model.tell(this.caller.organizationId);
  }

  async ask<Body>(contract: Operation, options: CallOptions = {}): Promise<Body> {
    return (await this.service.call(contract, { caller: this.caller, ...options })).body as Body;
  }

  /** Refusal of a call: the code, and the paths of its details. */
  async refusal(contract: Operation, options: CallOptions = {}): Promise<readonly [string, ...string[]]> {
    const answer = await this.ask(contract, options).catch((error: unknown) => error);
    if (!(answer instanceof Refused)) throw new Error(`Not refused: ${JSON.stringify(answer)}`);
    const details = Array.isArray(answer.details) ? (answer.details as { path: string }[]) : [];
    return [answer.code, ...details.map(({ path }) => path)];
  }

  add(content: string, given: object = {}): Promise<Ingested> {
    return this.ask(IngestKnowledgeText, {
      params: { profileId: this.profileId },
      body: { name: 'Text', content, ...given },
    });
  }

  /** A file as the gateway hands it on: stored, its type read from its bytes. */
  async file(filename: string, bytes: Buffer, mimetype = 'application/octet-stream'): Promise<StoredFileOf> {
    const key = mediaKey(this.caller, v7());
    const stored = await this.service.media.put(key, Readable.from([bytes]), { filename, mimetype });
    return { ...stored, filename };
  }

  async addFile(file: StoredFileOf, given: object = {}): Promise<Ingested> {
    return this.ask(IngestKnowledgeFile, { params: { profileId: this.profileId }, body: { file, ...given } });
  }

  async found(query: string, given: object = {}): Promise<Hit[]> {
    const body = { query, limit: 5, ...given };
    return (await this.ask<{ items: Hit[] }>(SearchKnowledge, { params: { profileId: this.profileId }, body })).items;
  }

  list(query: object = {}): Promise<Page<ShownDocument>> {
    return this.ask(ListKnowledge, { params: { id: this.profileId }, query: { ...query } });
  }

  /** Moves the clock on until all documents of the profile have a status. */
  async until(status: ShownDocument['status']): Promise<void> {
    for (;;) {
      const { items } = await this.list();
      if (items.every((item) => item.status === status)) return;
      this.service.clock.advance(1_000);
    }
  }

  count(table: string): Promise<number> {
    return this.service.sql
      .query<{ total: number }>(`SELECT count(*)::int AS total FROM ${table} WHERE organization_id = $1`, [
        this.caller.organizationId,
      ])
      .then(([row]) => row?.total ?? 0);
  }
}
