import {
  AcceptMessage,
  type AnswerOf,
  CreateBroadcast,
  DescribeProfile,
  GetBroadcast,
  ListAudience,
  ListBroadcastRecipients,
  MessageSettled,
  MessageStatusChanged,
  NamesOfPeople,
  type Operation,
  type OperationReply,
  ReadSendingStates,
  StartBroadcast,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller, testService, type TestService } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import type { CampaignsSettings } from '../config.ts';
import { campaigns } from '../service.ts';
import type { Shown, ShownRecipient } from './shown.ts';

type Accepted = Static<(typeof AcceptMessage)['body']>;
type Person = AnswerOf<typeof ListAudience>['items'][number];
type Caller = ReturnType<typeof testCaller>;

export const person = (number: number, given: Partial<Person> = {}): Person => {
  const phone = String(4_915_100_000_000 + number);
  return {
    contactId: v7(),
    jid: `${phone}@c.us`,
    phone,
    lid: null,
    name: `Person ${number}`,
    pushName: null,
    blocked: false,
    metadata: {},
    ...given,
  };
};
export const people = (count: number): Person[] => Array.from({ length: count }, (_, number) => person(number));

/** Outbound, sessions and inbox at the bus, as far as campaigns asks them. */
class Others {
  /** Messages that entered a lane, in order; a repeat under the same id is not here. */
  readonly accepted: Accepted[] = [];
  readonly asked: string[] = [];
  audience: Person[] = [];
  restriction: AnswerOf<typeof DescribeProfile>['restriction'];
  isConnected = true;
  isGone = false;
  /** Whether nobody answers of the profile. */
  isAway = false;
  /** Of the profile, and how many were accepted today beside broadcasts. */
  limit: number | null = null;
  resetAt = '';
  /** Messages of the profile that count today. */
  usedToday: () => number = () => this.accepted.length;
  /** Outcome of messages; `silent`: nobody tells. */
  outcome: (accepted: Accepted) => 'sent' | 'silent' | { readonly fail: string; readonly attempts?: number } = () =>
    'sent';
  refusal: (accepted: Accepted) => Refused | undefined = () => undefined;

  /** As at the beginning: three people, a profile that is connected, messages that are sent. */
  begin(): void {
    this.accepted.length = 0;
    this.asked.length = 0;
    this.audience = people(3);
    this.isConnected = true;
    this.restriction = undefined;
    this.limit = null;
    this.outcome = () => 'sent';
    this.refusal = () => undefined;
  }

  get texts(): string[] {
    return this.accepted.map(({ content }) => String(content['text']));
  }
}

export interface BroadcastsTest {
  readonly service: TestService;
  readonly others: Others;
  readonly caller: Caller;
  readonly profileId: string;
  call(contract: Operation, options?: object): Promise<OperationReply>;
  create(given?: object): Promise<Shown>;
  start(id: string): Promise<Shown>;
  get(id: string): Promise<Shown>;
  recipients(id: string, query?: object): Promise<readonly ShownRecipient[]>;
  settle(accepted: Accepted, status?: 'sent' | 'failed', error?: { code: string; message: string }): Promise<void>;
  /** Outbound never handed it over. */
  expire(messageId: string): Promise<void>;
  status(accepted: Accepted, status: 'delivered' | 'read' | 'played' | 'unknown'): Promise<void>;
  /** Moves the clock on in small steps until something holds. */
  passUntil(holds: () => boolean | Promise<boolean>, stepMs?: number): Promise<void>;
  isOver(id: string): () => Promise<boolean>;
  stop(): Promise<void>;
}

const settings: CampaignsSettings = {
  maxRecipients: 100_000,
  queuedMessageTtlHours: 72,
  uploadRetentionDays: 400,
  allowPrivateTargets: false,
  eventRetentionDays: 30,
};

interface Told {
  readonly messageId: string;
  readonly status: 'sent' | 'failed';
  readonly attempts?: number;
  readonly code?: string | undefined;
}

/** Sessions, inbox and outbound. @param tell says what became of a message */
async function serveOthers(
  others: Others,
  fake: TestService['fake'],
  profileId: string,
  now: () => number,
  tell: (told: Told) => Promise<void>,
): Promise<void> {
  const known = new Set<string>();
  await fake(DescribeProfile, ({ profileId: asked }) => {
    if (others.isAway) throw new Refused('SERVICE_UNAVAILABLE', 'Nobody is there.');
    if (others.isGone || asked !== profileId) throw new Refused('NOT_FOUND', 'There is no such profile.');
    const { restriction } = others;
    const status = others.isConnected ? ('connected' as const) : ('reconnecting' as const);
    return { profileId: asked, status, ...(restriction && { restriction }) };
  });
  await fake(NamesOfPeople, () => ({ people: [] }));
  await fake(ListAudience, ({ after, limit, recipients }) => {
    const found =
      recipients.type === 'contacts'
        ? others.audience.filter(({ contactId }) => recipients.contactIds.includes(contactId))
        : others.audience;
    const from = Number(after ?? 0);
    return {
      items: found.slice(from, from + limit),
      next: from + limit < found.length ? String(from + limit) : null,
    };
  });
  await fake(ReadSendingStates, ({ profileIds }) => ({
    items: profileIds.map((id) => ({
      profileId: id,
      messageDelayMs: 0,
      dailyMessageLimit: others.limit,
      dailyMessageCount: others.usedToday(),
      dailyResetAt: new Date(now() + 3_600_000).toISOString(),
    })),
  }));
  await fake(AcceptMessage, (body) => {
    others.asked.push(body.messageId);
    if (known.has(body.messageId)) return { status: 'queued' as const, attempts: 0 };
    const refusal = others.refusal(body);
    if (refusal !== undefined) throw refusal;
    if (others.limit !== null && others.usedToday() >= others.limit)
      throw new Refused('DAILY_LIMIT_REACHED', 'The limit is reached.', { resetAt: others.resetAt });
    known.add(body.messageId);
    others.accepted.push(body);
    const { messageId } = body;
    const outcome = others.outcome(body);
    const failed = typeof outcome === 'object' ? outcome : undefined;
    const told = { messageId, status: failed ? 'failed' : 'sent', code: failed?.fail } as const;
    const { attempts = 1 } = failed ?? {};
    if (outcome !== 'silent') setImmediate(() => void tell({ ...told, attempts }).catch(() => undefined));
    return { status: 'queued' as const, attempts: 0 };
  });
}

/** Campaigns on a real PostgreSQL, with other services at the bus that do as they are told. */
export async function broadcastsTest(
  given: Partial<CampaignsSettings> = {},
  options: { readonly replicas?: number } = {},
): Promise<BroadcastsTest> {
  const others = new Others();
  const caller = testCaller();
  const profileId = v7();
  const about = { organizationId: caller.organizationId, profileId };
  const service: TestService = await testService(campaigns, {
    settings: { ...settings, ...given },
    ...options,
    others: (fake) =>
      serveOthers(
        others,
        fake,
        profileId,
        () => service.clock.now(),
        (told) => tell(told),
      ),
  });
  const tell = async ({ messageId, status, attempts = 1, code }: Told): Promise<void> => {
    const error = code === undefined ? {} : { error: { code, message: 'No.' } };
    const at = new Date(service.clock.now()).toISOString();
    const data = { messageId, profileId, origin: 'broadcast', status, attempts, ...error, at } as const;
    await service.emit(MessageSettled, data, about);
  };
  return { service, others, caller, profileId, ...doors(service, caller, profileId, tell) };
}

function doors(
  service: TestService,
  caller: Caller,
  profileId: string,
  tell: (told: Told) => Promise<void>,
): Omit<BroadcastsTest, 'service' | 'others' | 'caller' | 'profileId'> {
  const { organizationId } = caller;
  const call = (contract: Operation, more: object = {}) => service.call(contract, { caller, ...more });
  const get = async (id: string): Promise<Shown> => (await call(GetBroadcast, { params: { id } })).body as Shown;
  const draft = {
    profileId,
    name: 'Sale',
    message: { type: 'text', text: 'Hello {{name|friend}}' },
    recipients: { type: 'all' },
    settings: { delayMin: 0, delayMax: 0 },
  };
  return {
    call,
    get,
    create: async (body = {}) => (await call(CreateBroadcast, { body: { ...draft, ...body } })).body as Shown,
    start: async (id) => (await call(StartBroadcast, { params: { id } })).body as Shown,
    recipients: async (id, query = {}) => {
      const { body } = await call(ListBroadcastRecipients, { params: { id }, query: { limit: 200, ...query } });
      return (body as { items: ShownRecipient[] }).items;
    },
    settle: ({ messageId }, status = 'sent', error) => tell({ messageId, status, code: error?.code }),
    expire: (messageId) => tell({ messageId, status: 'failed', attempts: 0, code: 'EXPIRED' }),
    status: async ({ messageId, to }, status) => {
      const message = { messageId, networkMessageId: '3EB0', to, type: 'text', conversationId: v7() } as const;
      const data = { ...message, status, previousStatus: 'sent', origin: 'broadcast' } as const;
      await service.emit(MessageStatusChanged, data, { organizationId, profileId });
    },
    passUntil: async (holds, stepMs = 250) => {
      const until = performance.now() + 30_000;
      while (!(await holds())) {
        if (performance.now() > until) throw new Error('It has not come to pass.');
        await service.sql.query('SELECT 1');
        service.clock.advance(stepMs);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    isOver: (id) => async () => ['completed', 'failed', 'cancelled'].includes((await get(id)).status),
    stop: () => service.stop(),
  };
}
