import {
  DescribeProfile,
  EraseAutomationData,
  IngestKnowledgeText,
  ListKnowledge,
  ReadAutomationData,
  SearchKnowledge,
  type Caller,
  type Operation,
  type Page,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { service } from '@messaging-gateway/service';
import { testCaller, testService, type CallOptions, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';

import type { ShownDocument } from './documents.ts';
import type { Embeddings } from './embeddings.ts';
import { knowledgeBy } from './feature.ts';
import type { Ingested } from './ingesting.ts';
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
  /** Held back until it is resolved. */
  gate: Promise<unknown> = Promise.resolve();

  readonly modelOf = (): Promise<string | undefined> => Promise.resolve(this.model);

  readonly embed = async (_: string, texts: readonly string[], model: string): Promise<number[][]> => {
    await this.gate;
    if (this.refuses) throw new Refused('SERVICE_UNAVAILABLE', 'The provider fails.');
    this.asked.set(model, [...(this.asked.get(model) ?? []), ...texts]);
    return texts.map((text) => {
      const words = text.toLowerCase().split(/[^a-z]+/);
      const found = meanings.map((same) => words.filter((word) => same.includes(word)).length);
      return [...found, 0.01, ...(model === 'few-words' ? [] : [0.02])];
    });
  };
}

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
    const personalData = { erase: EraseAutomationData, read: ReadAutomationData };
    const started = await testService(service('automation', { features: [knowledgeBy(model)], personalData }), {
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
  }

  async ask<Body>(contract: Operation, options: CallOptions = {}): Promise<Body> {
    return (await this.service.call(contract, { caller: this.caller, ...options })).body as Body;
  }

  /** What a call is refused with: the code, and the paths of its details. */
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
