import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AcceptMessage,
  DescribePerson,
  GetIntegrationsStatus,
  IntegrationsChanged,
  ListIntegrations,
  ReadIntegrations,
  TakeChatwootEvent,
} from '@messaging-gateway/contracts';
import type { Refused } from '@messaging-gateway/messaging';
import { sealedFor } from '@messaging-gateway/runtime';
import { testCaller, testEncryption, testService, type TestService } from '@messaging-gateway/service/testing';
import { startChatwoot, type FakeChatwoot } from '@messaging-gateway/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { usual } from '../testing/webhooks-service.ts';
import { webhooks } from '../service.ts';
import { chatWith } from './chatwoot.fixture.ts';

const token = 'a token of 256 bits, as it were';

interface Status {
  readonly backlog: number;
  readonly lastError: string | null;
  readonly lastSuccessAt: string | null;
}

/** The bridge between what a Chatwoot of the tests has and what the rest of the gateway tells and is asked. */
export class BridgeWorld {
  /** What was handed to the lanes of profiles, in order, each once. */
  readonly accepted: Static<(typeof AcceptMessage)['body']>[] = [];
  /** What the inbox knows of people, by JID; of others their phone if the JID has one. */
  readonly people = new Map<string, { readonly phone: string | null; readonly lid: string | null }>();
  /** By which the lanes refuse whatever they are handed. */
  refusal: Refused | undefined;
  caller = testCaller();
  profileId = v7();
  service!: TestService;
  readonly settings = new Map<string, object>();
  readonly chatwoot: FakeChatwoot;
  readonly #known = new Set<string>();
  #version = 0;
  #people = 0;

  private constructor(chatwoot: FakeChatwoot) {
    this.chatwoot = chatwoot;
  }

  /** @param replicas of the service, which are told events in turns */
  static async start(replicas = 1): Promise<BridgeWorld> {
    const world = new BridgeWorld(await startChatwoot());
    world.service = await testService(webhooks, {
      replicas,
      division: 'turns',
      settings: { ...usual, allowPrivateTargets: true },
      others: (fake) => world.#others(fake),
    });
    return world;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.chatwoot.stop();
  }

  /** An organization with a bridge, of which nothing is known yet; Chatwoot is well. */
  async begin(): Promise<void> {
    this.caller = testCaller();
    this.profileId = v7();
    this.accepted.length = 0;
    this.refusal = undefined;
    this.chatwoot.behave('normal');
    await this.set();
  }

  async set(change: object = {}): Promise<void> {
    const { chatwoot, caller } = this;
    const tokenHash = createHash('sha256').update(token).digest('hex');
    const given = { url: chatwoot.url, apiToken: chatwoot.apiToken, accountId: 1, inboxId: '2', enabled: true };
    this.settings.set(caller.organizationId, { ...given, tokenHash, ...change });
    this.#version += 1;
    const { organizationId } = caller;
    await this.service.emit(IntegrationsChanged, { version: this.#version }, { organizationId });
  }

  get about(): { readonly organizationId: string; readonly profileId: string } {
    return { organizationId: this.caller.organizationId, profileId: this.profileId };
  }

  async passUntil(holds: () => boolean | Promise<boolean>, stepMs = 500): Promise<void> {
    for (let steps = 0; !(await holds()); steps += 1) {
      if (steps > 20_000) throw new Error('It never came to that.');
      this.service.clock.advance(stepMs);
      await delay(5);
    }
  }

  async status(caller = this.caller): Promise<Status> {
    const { body } = await this.service.call(GetIntegrationsStatus, { caller });
    return (body as { chatwoot: Status }).chatwoot;
  }

  rested(caller = this.caller): Promise<void> {
    return this.passUntil(async () => (await this.status(caller)).backlog === 0);
  }

  /** A chat with somebody new. */
  chat(jid = `49151${String((this.#people += 1)).padStart(8, '0')}@c.us`): ReturnType<typeof chatWith> {
    const { service, chatwoot, about } = this;
    return chatWith({ service, chatwoot, about }, jid);
  }

  take(event: object | string, given: { readonly token?: string; readonly headers?: Record<string, string> } = {}) {
    const text = typeof event === 'string' ? event : JSON.stringify(event);
    const body = { text, headers: given.headers ?? {} };
    return this.service.call(TakeChatwootEvent, {
      params: { id: this.caller.organizationId },
      query: { token: given.token ?? token },
      body,
    });
  }

  /** Words of what was handed to the lanes. */
  get texts(): unknown[] {
    return this.accepted.map(({ content }) => content['text'] ?? content['caption'] ?? content['url']);
  }

  async #others(fake: TestService['fake']): Promise<void> {
    await fake(ListIntegrations, () => ({ organizationIds: [], next: null }));
    await fake(ReadIntegrations, ({ organizationId }) => ({
      version: this.#version,
      settings: sealedFor(testEncryption, organizationId, { chatwoot: this.settings.get(organizationId) ?? {} }),
    }));
    await fake(DescribePerson, ({ jid }) => ({
      contactId: null,
      name: jid.endsWith('@g.us') ? 'Family' : `Person ${jid}`,
      pushName: null,
      tags: [],
      metadata: {},
      blocked: false,
      phone: /^(\d+)@c\.us$/.exec(jid)?.[1] ?? null,
      lid: jid.endsWith('@lid') ? jid : null,
      ...this.people.get(jid),
    }));
    await fake(AcceptMessage, (asked) => {
      if (this.refusal !== undefined) throw this.refusal;
      if (!this.#known.has(asked.messageId)) this.accepted.push(asked);
      this.#known.add(asked.messageId);
      return { status: 'queued' as const, attempts: 0 };
    });
  }
}
