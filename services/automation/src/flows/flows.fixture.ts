import {
  DescribePerson,
  DescribeProfile,
  RenderTemplate,
  type AnswerOf,
  type Caller,
  type Operation,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller, testService, type CallOptions, type TestService } from '@messaging-gateway/service/testing';
import { automation } from '../service.ts';
import { defaults } from '../testing/automation-test.ts';

type Person = AnswerOf<typeof DescribePerson>;
type Rendered = AnswerOf<typeof RenderTemplate>;

/** Flows on a real PostgreSQL. */
export interface FlowsTest {
  readonly service: TestService;
  readonly caller: Caller;
  /** Profiles that no organization has. */
  readonly unknownProfiles: Set<string>;
  /** Contacts, by their JID. */
  readonly people: Map<string, Partial<Person>>;
  /** Templates, by their id. */
  readonly templates: Map<string, Rendered>;
  /** Calls as the caller, and answers the body. */
  readonly ask: <Body>(contract: Operation, options?: CallOptions) => Promise<Body>;
  /** Refusal of a call: the code, and the paths of its details. */
  readonly refusal: (contract: Operation, options?: CallOptions) => Promise<readonly [string, ...string[]]>;
  readonly stop: () => Promise<void>;
}

const stranger: Person = {
  contactId: null,
  name: null,
  pushName: null,
  phone: null,
  lid: null,
  tags: [],
  metadata: {},
  blocked: false,
};

/** Automation, with contacts and templates that are told here. */
export async function flowsTest(): Promise<FlowsTest> {
  const unknownProfiles = new Set<string>();
  const people = new Map<string, Partial<Person>>();
  const templates = new Map<string, Rendered>();
  const caller = testCaller();
  const service = await testService(automation, {
    settings: defaults,
    others: async (fake) => {
      await fake(DescribeProfile, ({ profileId }) => {
        if (unknownProfiles.has(profileId)) throw new Refused('NOT_FOUND', 'There is no such profile.');
        return { profileId, status: 'connected' as const };
      });
      await fake(DescribePerson, ({ jid }) => ({ ...stranger, ...people.get(jid) }));
      await fake(RenderTemplate, ({ templateId }) => {
        const rendered = templates.get(templateId);
        if (rendered === undefined) throw new Refused('NOT_FOUND', 'There is no such template.');
        return rendered;
      });
    },
  });
  return {
    service,
    caller,
    unknownProfiles,
    people,
    templates,
    ask: async <Body>(contract: Operation, options: CallOptions = {}) =>
      (await service.call(contract, { caller, ...options })).body as Body,
    refusal: async (contract, options = {}) => {
      const answer = await service.call(contract, { caller, ...options }).catch((error: unknown) => error);
      if (!(answer instanceof Refused)) throw new Error(`Not refused: ${JSON.stringify(answer)}`);
      const details = Array.isArray(answer.details) ? (answer.details as { path: string }[]) : [];
      return [answer.code, ...details.map(({ path }) => path)];
    },
    stop: () => service.stop(),
  };
}
