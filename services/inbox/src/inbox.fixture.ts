import {
  DescribeProfile,
  GetMessage,
  ListConversations,
  ListProfileMessages,
  MessageReceived,
  SendReadReceipts,
  SessionHistory,
  SessionMessage,
  SessionMessageChanged,
  type Caller,
  type Conversation,
  type ErrorCode,
  type EventContract,
  type MessageRecord,
  type Page,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller, testService, type TestService, type TestServiceOptions } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { changed, type Arrived, type Change, type Changed, type Target } from './facts.fixture.ts';
import { inbox, type InboxSettings } from './index.ts';

export type Message = Static<typeof MessageRecord>;
export type Chat = Static<typeof Conversation>;

export const ownNumber = '4915187654321';
export const ada = '4915112345678';

interface Sessions {
  refuses: ErrorCode | undefined;
  handoverMinutes: number | undefined;
}

/** Whom a fact is about, and when it happened. */
interface About {
  readonly organizationId: string;
  readonly profileId: string;
  readonly time?: string;
}

/** The inbox with sessions faked, and what its clients do. */
export class InboxFixture {
  readonly service: TestService;
  /** Read receipts that sessions was asked to send. */
  readonly receipts: { chat: string; messages: { networkMessageId: string }[] }[];
  readonly #profiles: Map<string, string>;
  readonly #sessions: Sessions;
  /** A caller with all permissions, and a linked profile of the same organization. */
  caller: Caller = testCaller();
  profileId = '';
  #seconds = 0;

  private constructor(
    service: TestService,
    receipts: InboxFixture['receipts'],
    profiles: Map<string, string>,
    sessions: Sessions,
  ) {
    this.service = service;
    this.#sessions = sessions;
    this.receipts = receipts;
    this.#profiles = profiles;
  }

  static async start(
    replicas: Pick<TestServiceOptions<InboxSettings>, 'replicas' | 'division'> = {},
    settings: Partial<InboxSettings> = {},
  ): Promise<InboxFixture> {
    const profiles = new Map<string, string>();
    const sessions: Sessions = { refuses: undefined, handoverMinutes: undefined };
    const receipts: InboxFixture['receipts'] = [];
    const service = await testService(inbox, {
      ...replicas,
      settings: { isAlone: replicas.replicas === undefined, contactQuota: 0, ...settings },
      others: async (fake) => {
        await fake(DescribeProfile, ({ profileId, organizationId }) => {
          if (sessions.refuses !== undefined) throw new Refused(sessions.refuses, 'Sessions says nothing.');
          if (profiles.get(profileId) === organizationId)
            return {
              profileId,
              status: 'connected' as const,
              phoneNumber: ownNumber,
              ...(sessions.handoverMinutes !== undefined && { handoverMinutes: sessions.handoverMinutes }),
            };
          throw new Refused('NOT_FOUND', 'There is no such profile.');
        });
      },
    });
    return new InboxFixture(service, receipts, profiles, sessions);
  }

  /** With which code sessions refuses to describe profiles; undefined: it does not. */
  set sessionsRefuses(code: ErrorCode | undefined) {
    this.#sessions.refuses = code;
  }

  /** Of all profiles; undefined as an earlier version of sessions describes them. */
  set handoverMinutes(minutes: number | undefined) {
    this.#sessions.handoverMinutes = minutes;
  }

  /** A new organization with a new profile. */
  renew(): void {
    this.caller = testCaller();
    this.profileId = v7();
    this.#profiles.set(this.profileId, this.caller.organizationId);
    const take = ({ chat, messages }: (typeof this.receipts)[number]): object => {
      this.receipts.push({ chat, messages });
      return {};
    };
    void this.service.fake(SendReadReceipts, take, this.profileId);
    this.receipts.length = 0;
  }

  /** Of the same organization. */
  otherProfile(): string {
    const id = v7();
    this.#profiles.set(id, this.caller.organizationId);
    return id;
  }

  about(): { organizationId: string; profileId: string } {
    return { organizationId: this.caller.organizationId, profileId: this.profileId };
  }

  /** As sessions tells it. */
  async arrive({ delivery, ...message }: Arrived, about: About = this.about()): Promise<void> {
    if (delivery === 'history') await this.service.emit(SessionHistory, { ...message, delivery }, about);
    else await this.service.emit(SessionMessage, { ...message, delivery }, about);
  }

  /** Ada changes a message, each time a second later than before. */
  async change(target: Target, change: Change, differences: Partial<Changed> = {}): Promise<void> {
    this.#seconds += 1;
    const at = new Date(Date.UTC(2026, 1, 1) + this.#seconds * 1000).toISOString();
    const fact = changed(this.profileId, ada, target, change, { at, ...differences });
    await this.service.emit(SessionMessageChanged, fact, this.about());
  }

  async message(id: string, caller = this.caller): Promise<Message> {
    return (await this.service.call(GetMessage, { caller, params: { id } })).body as Message;
  }

  async ofProfile(query: object = {}, caller = this.caller): Promise<Page<Message>> {
    const { profileId } = this;
    return (await this.service.call(ListProfileMessages, { caller, params: { profileId }, query: { ...query } }))
      .body as never;
  }

  async conversations(query: object = {}, caller = this.caller): Promise<Page<Chat>> {
    return (await this.service.call(ListConversations, { caller, query: { ...query } })).body as never;
  }

  /** Facts told as `message.received` of the profile. */
  async told() {
    return this.toldAs(MessageReceived);
  }

  /** Facts of one kind told of the profile. */
  async toldAs<E extends EventContract>(contract: E) {
    return (await this.service.published(contract)).filter((event) => event.profileId === this.profileId);
  }
}

export const textsOf = ({ items }: Page<Message>): unknown[] =>
  items.map(({ content }) => ('text' in content ? content.text : undefined));
