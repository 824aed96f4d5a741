import { setTimeout as delay } from 'node:timers/promises';
import {
  AcceptMessage,
  conversationIdOf,
  DescribePerson,
  DescribeProfile,
  ListAudience,
  ListSuppressed,
  ListIntegrations,
  MessageReceived,
  MessageSettled,
  type AnswerOf,
  type Caller,
  type DataOf,
  type Operation,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import {
  testCaller,
  testService,
  type CallOptions,
  type TestService,
  type TestServiceOptions,
} from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import type { Person } from '../answerers/compiled.ts';
import type { AutomationSettings } from '../config.ts';
import { automation } from '../service.ts';

type Listed = AnswerOf<typeof ListAudience>['items'][number];
export type Accepted = Static<(typeof AcceptMessage)['body']>;

/** Outbound, inbox and sessions at the bus, as far as automation asks them. */
class Others {
  /** Messages that entered a lane, in order; a repeat under the same id is not here. */
  readonly accepted: Accepted[] = [];
  /** Each request, repeats too. */
  readonly handedOver: string[] = [];
  person: Partial<Person> = {};
  /** Contacts, whoever is asked for. */
  people: readonly Listed[] = [];
  /** Phones of people to whom nothing goes that is sent to many. */
  readonly suppressed = new Set<string>();
  /** Organizations that have set something for other products. */
  integrated: string[] = [];
  /** Outcome of messages; `silent`: nobody tells. */
  outcome: (accepted: Accepted) => 'sent' | 'failed' | 'silent' = () => 'sent';
  refusal: (accepted: Accepted) => Refused | undefined = () => undefined;

  get texts(): string[] {
    return this.accepted.map(({ content }) => String(content['text']));
  }
}

/** Automation on a real PostgreSQL. */
export interface AutomationTest {
  readonly service: TestService;
  readonly caller: Caller;
  readonly profileId: string;
  readonly others: Others;
  /** Calls as the caller, and answers the body. */
  readonly ask: <Body = Record<string, unknown>>(contract: Operation, options?: CallOptions) => Promise<Body>;
  /** Refusal of a call: the code, and the paths of its details. */
  readonly refusal: (contract: Operation, options?: CallOptions) => Promise<readonly [string, ...string[]]>;
  /** Somebody writes; resolves when that was taken in. @returns what was told */
  readonly receive: (
    text: string,
    given?: Partial<DataOf<typeof MessageReceived>> & { readonly phone?: string; readonly profileId?: string },
  ) => Promise<DataOf<typeof MessageReceived>>;
  /** Resolves when all runs have ended. */
  readonly rested: () => Promise<void>;
  /** Moves the clock on in small steps until something holds. */
  readonly passUntil: (holds: () => boolean | Promise<boolean>, stepMs?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Settings without a provider of AI. */
export const defaults: AutomationSettings = {
  maxAgeSeconds: 300,
  aiBaseUrl: undefined,
  aiApiKey: undefined,
  aiModel: undefined,
  aiEmbeddingModel: undefined,
  aiMonthlyTokens: undefined,
  aiTimeoutMs: 30_000,
  allowPrivateTargets: false,
  eventRetentionDays: 7,
};

const nobody: Person = {
  contactId: null,
  name: null,
  pushName: null,
  phone: '4915112345678',
  lid: null,
  tags: [],
  metadata: {},
  blocked: false,
};

export async function automationTest(
  settings: Partial<AutomationSettings> = {},
  options: Pick<TestServiceOptions<unknown>, 'replicas' | 'division' | 'shuffle'> = {},
): Promise<AutomationTest> {
  const others = new Others();
  const caller = testCaller();
  const profileId = v7();
  const known = new Map<string, Accepted>();
  const settling: Promise<unknown>[] = [];
  const service: TestService = await testService(automation, {
    ...options,
    settings: { ...defaults, ...settings },
    others: async (fake) => {
      await fake(DescribeProfile, (asked) => ({ profileId: asked.profileId, status: 'connected' as const }));
      await fake(ListIntegrations, () => ({ organizationIds: others.integrated, next: null }));
      await fake(DescribePerson, ({ jid }) => {
        const { jid: _, ...listed } = others.people.find((one) => one.jid === jid) ?? { jid };
        return { ...nobody, ...listed, ...others.person };
      });
      await fake(ListAudience, ({ after = '0', limit }) => {
        const end = Number(after) + limit;
        return {
          items: others.people.slice(Number(after), end),
          next: end < others.people.length ? String(end) : null,
        };
      });
      await fake(ListSuppressed, ({ people }) => ({
        suppressed: people.map(({ phone }) => others.suppressed.has(phone ?? '')),
      }));
      await fake(AcceptMessage, (asked) => {
        others.handedOver.push(asked.messageId);
        if (!known.has(asked.messageId)) {
          const refusal = others.refusal(asked);
          if (refusal !== undefined) throw refusal;
          known.set(asked.messageId, asked);
          others.accepted.push(asked);
          const outcome = others.outcome(asked);
          if (outcome !== 'silent') settling.push(tell(asked, outcome));
        }
        return { status: 'queued' as const, attempts: 0 };
      });
    },
  });
  const tell = async ({ messageId, profileId: of, organizationId }: Accepted, status: 'sent' | 'failed') =>
    service.emit(
      MessageSettled,
      {
        messageId,
        profileId: of,
        origin: 'automation',
        status,
        attempts: 1,
        at: new Date(service.clock.now()).toISOString(),
        ...(status === 'failed' && { error: { code: 'RECIPIENT_UNKNOWN', message: 'Nobody.' } }),
      },
      { organizationId, profileId: of },
    );
  const idle = async (): Promise<boolean> => {
    const open = settling.splice(0);
    await Promise.all(open);
    const [row] = await service.sql.query<{ due: number }>(
      'SELECT count(*)::int AS due FROM runs WHERE ended_at IS NULL',
    );
    return open.length === 0 && row?.due === 0;
  };
  const passUntil = async (holds: () => boolean | Promise<boolean>, stepMs = 500): Promise<void> => {
    for (let steps = 0; !(await holds()); steps += 1) {
      if (steps > 5000) throw new Error('It never came to that.');
      service.clock.advance(stepMs);
      // What is outside does not live in the time of the test clock.
      await delay(5);
    }
  };
  return {
    service,
    caller,
    profileId,
    others,
    ask: async <Body>(contract: Operation, options: CallOptions = {}) =>
      (await service.call(contract, { caller, ...options })).body as Body,
    refusal: async (contract, options = {}) => {
      const answer = await service.call(contract, { caller, ...options }).catch((error: unknown) => error);
      if (!(answer instanceof Refused)) throw new Error(`Not refused: ${JSON.stringify(answer)}`);
      const details = Array.isArray(answer.details) ? (answer.details as { path: string }[]) : [];
      return [answer.code, ...details.map(({ path }) => path)];
    },
    receive: async (text, { phone = '4915112345678', profileId: to = profileId, ...given } = {}) => {
      const from = given.from ?? `${phone}@c.us`;
      const data: DataOf<typeof MessageReceived> = {
        id: v7(),
        networkMessageId: '3EB0C767D82B1F2A',
        conversationId: conversationIdOf(to, from),
        from,
        body: text,
        type: 'text',
        content: { type: 'text', text },
        hasMedia: false,
        timestamp: new Date(service.clock.now()).toISOString(),
        ...given,
      };
      await service.emit(MessageReceived, data, { organizationId: caller.organizationId, profileId: to });
      return data;
    },
    rested: () => passUntil(idle, 20),
    passUntil,
    stop: () => service.stop(),
  };
}
