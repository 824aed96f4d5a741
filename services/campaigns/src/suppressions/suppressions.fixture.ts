import {
  AcceptMessage,
  ContactUpdated,
  EraseCampaignsData,
  ListSuppressions,
  MessageReceived,
  NamesOfPeople,
  ReadCampaignsData,
  type BodyOf,
  type Caller,
  type DataOf,
  type ErrorCode,
  type Page,
  type Suppression,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { feature, service } from '@messaging-gateway/service';
import { testCaller, testService, type TestService, type TestServiceOptions } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { suppressions } from './feature.ts';
import type { SuppressionList } from './listed.ts';

type Shown = Static<typeof Suppression>;
type Accepted = Static<(typeof AcceptMessage)['body']>;

export const ada = '4915112345678';
export const lid = '77001@lid';

/** Suppressions with the inbox and outbound faked, and what an organization does with them. */
export class SuppressionsFixture {
  readonly service: TestService;
  readonly #list: () => SuppressionList;
  /** Messages that outbound accepted, or refused. */
  readonly accepted: Accepted[];
  /** A phone and a LID that the inbox knows for one person's. */
  readonly known: Map<string, string>;
  /** With which codes outbound refuses the next messages. */
  readonly refusals: ErrorCode[] = [];
  /** Whether the inbox is away, and how often it was then asked. */
  inboxIsAway = false;
  askedInVain = 0;
  caller: Caller = testCaller();
  profileId = v7();

  private constructor(list: () => SuppressionList, parts: Pick<SuppressionsFixture, 'service' | 'accepted' | 'known'>) {
    this.service = parts.service;
    this.#list = list;
    this.accepted = parts.accepted;
    this.known = parts.known;
  }

  static async start(
    options: Pick<TestServiceOptions<unknown>, 'replicas' | 'division'> = {},
  ): Promise<SuppressionsFixture> {
    const [accepted, known] = [[] as Accepted[], new Map<string, string>()];
    let list: SuppressionList | undefined;
    const other = feature({
      name: 'other',
      needs: { suppressions },
      connect: (_: unknown, needed) => {
        list = needed.suppressions;
        return {};
      },
    });
    let fixture: SuppressionsFixture | undefined;
    const personalData = { erase: EraseCampaignsData, read: ReadCampaignsData };
    const started = await testService(service('campaigns', { features: [suppressions, other], personalData }), {
      ...options,
      settings: {},
      others: async (fake) => {
        await fake(NamesOfPeople, ({ jids }) => {
          fixture?.assertInboxIsThere();
          return { people: jids.map((jid) => namesOf(jid, known)) };
        });
        await fake(AcceptMessage, (body) => {
          accepted.push(body);
          const code = fixture?.refusals.shift();
          if (code !== undefined) throw new Refused(code, 'Outbound refuses.');
          return { status: 'queued' as const, attempts: 0 };
        });
      },
    });
    fixture = new SuppressionsFixture(() => list as SuppressionList, { service: started, accepted, known });
    return fixture;
  }

  /** The list as other features of the service have it. */
  get list(): SuppressionList {
    return this.#list();
  }

  /** Another organization. */
  renew(): void {
    this.caller = testCaller();
    this.profileId = v7();
    this.accepted.length = 0;
    this.known.clear();
    this.refusals.length = 0;
  }

  /** @throws Refused SERVICE_UNAVAILABLE as its bus does while nobody serves what is asked for */
  assertInboxIsThere(): void {
    if (!this.inboxIsAway) return;
    this.askedInVain += 1;
    throw new Refused('SERVICE_UNAVAILABLE', 'NamesOfPeople is served by nobody now.');
  }

  /** Has a person write to the profile. @returns the id of the message */
  async writes(
    body: string,
    from = `${ada}@c.us`,
    differences: Partial<DataOf<typeof MessageReceived>> = {},
  ): Promise<string> {
    const id = differences.id ?? v7();
    const message = {
      id,
      networkMessageId: id,
      conversationId: v7(),
      from,
      body,
      type: 'text' as const,
      content: { type: 'text' as const, text: body },
      hasMedia: false,
      timestamp: new Date(this.service.clock.now()).toISOString(),
      ...differences,
    };
    const { organizationId } = this.caller;
    await this.service.emit(MessageReceived, message, { organizationId, profileId: this.profileId });
    return id;
  }

  /** The inbox tells of a contact. */
  async contact(news: Partial<DataOf<typeof ContactUpdated>>): Promise<void> {
    const { organizationId } = this.caller;
    const data = { id: v7(), change: 'updated' as const, profileId: this.profileId, ...news };
    await this.service.emit(ContactUpdated, data, { organizationId, profileId: this.profileId });
  }

  async page(query: object = {}, caller = this.caller): Promise<Page<Shown>> {
    return (await this.service.call(ListSuppressions, { caller, query: { ...query } })).body as Page<Shown>;
  }

  /** Marks for the audit that stand in the journal, each once, the oldest first. */
  async audited(): Promise<{ action: string; actor: string; stream: string }[]> {
    const rows = await this.service.sql.query<{ id: string; action: string; actor: string; stream: string }>(
      `SELECT metadata->'audit'->>'id' AS id, metadata->'audit'->>'action' AS action, metadata->>'actor' AS actor, stream
         FROM events WHERE metadata->>'organizationId' = $1 AND metadata ? 'audit' ORDER BY position`,
      [this.caller.organizationId],
    );
    return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
  }

  async call<O extends Parameters<TestService['call']>[0]>(
    contract: O,
    {
      caller = this.caller,
      ...options
    }: { caller?: Caller; body?: BodyOf<O>; params?: Record<string, string>; query?: Record<string, unknown> } = {},
  ) {
    return this.service.call(contract, { caller, ...options });
  }

  /** Of the caller's organization, in the order given: phones, and LIDs as `<id>@lid`. */
  suppressed(...people: { phone?: string | null; lid?: string | null }[]): Promise<boolean[]> {
    return this.list.suppressed(this.caller.organizationId, people);
  }
}

function namesOf(jid: string, known: ReadonlyMap<string, string>): { phones: string[]; lids: string[] } {
  if (!jid.endsWith('@lid')) {
    const phone = jid.slice(0, -'@c.us'.length);
    const other = known.get(phone);
    return { phones: [phone], lids: other === undefined ? [] : [other] };
  }
  return { phones: [...known].flatMap(([phone, other]) => (other === jid ? [phone] : [])), lids: [jid] };
}
