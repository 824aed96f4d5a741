import { DescribeProfile, type Caller, type Operation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import {
  testCaller,
  testService,
  type CallOptions,
  type TestService,
  type TestServiceOptions,
} from '@messaging-gateway/service/testing';
import type { AutomationSettings } from '../config.ts';
import { automation } from '../service.ts';
import { defaults } from './automation-test.ts';

/** AI of automation on a real PostgreSQL; private targets are allowed. */
export interface AiTest {
  readonly service: TestService;
  /** Put another one in its place to be another organization. */
  caller: Caller;
  /** Profiles that no organization has. */
  readonly unknownProfiles: Set<string>;
  /** Calls as the caller, and answers the body. */
  readonly ask: <Body>(contract: Operation, options?: CallOptions) => Promise<Body>;
  /** Refusal of a call: the code, and the paths of its details. */
  readonly refusal: (contract: Operation, options?: CallOptions) => Promise<readonly [string, ...string[]]>;
  readonly stop: () => Promise<void>;
}

export async function aiTest(
  settings: Partial<AutomationSettings> = {},
  options: Partial<TestServiceOptions<AutomationSettings>> = {},
): Promise<AiTest> {
  const unknownProfiles = new Set<string>();
  const service = await testService(automation, {
    ...options,
    settings: { ...defaults, allowPrivateTargets: true, ...settings },
    others: (fake) =>
      fake(DescribeProfile, ({ profileId }) => {
        if (unknownProfiles.has(profileId)) throw new Refused('NOT_FOUND', 'There is no such profile.');
        return { profileId, status: 'connected' as const };
      }),
  });
  const test: AiTest = {
    service,
    caller: testCaller(),
    unknownProfiles,
    ask: async <Body>(contract: Operation, given: CallOptions = {}) =>
      (await service.call(contract, { caller: test.caller, ...given })).body as Body,
    refusal: async (contract, given = {}) => {
      const answer = await service.call(contract, { caller: test.caller, ...given }).catch((error: unknown) => error);
      if (!(answer instanceof Refused)) throw new Error(`Not refused: ${JSON.stringify(answer)}`);
      const details = Array.isArray(answer.details) ? (answer.details as { path: string }[]) : [];
      return [answer.code, ...details.map(({ path }) => path)];
    },
    stop: () => service.stop(),
  };
  return test;
}
