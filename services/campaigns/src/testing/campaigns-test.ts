import { DescribeProfile, type Caller, type Operation, type Template } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { testCaller, testService, type CallOptions, type TestService } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { campaigns, type CampaignsSettings } from '../index.ts';

export type ShownTemplate = Static<typeof Template>;

/** Campaigns on a real PostgreSQL. */
export interface CampaignsTest {
  readonly service: TestService;
  readonly caller: Caller;
  /** Profiles that no organization has. */
  readonly unknownProfiles: Set<string>;
  /** Calls as the caller, and answers the body. */
  readonly ask: <Body = ShownTemplate>(contract: Operation, options?: CallOptions) => Promise<Body>;
  /** Refusal of a call: the code, and the paths of its details. */
  readonly refusal: (contract: Operation, options?: CallOptions) => Promise<readonly [string, ...string[]]>;
  readonly stop: () => Promise<void>;
}

export async function campaignsTest(settings: Partial<CampaignsSettings> = {}): Promise<CampaignsTest> {
  const unknownProfiles = new Set<string>();
  const caller = testCaller();
  const service = await testService(campaigns, {
    settings: {
      maxRecipients: 100_000,
      queuedMessageTtlHours: 72,
      uploadRetentionDays: 400,
      allowPrivateTargets: false,
      eventRetentionDays: 7,
      ...settings,
    },
    others: (fake) =>
      fake(DescribeProfile, ({ profileId }) => {
        if (unknownProfiles.has(profileId)) throw new Refused('NOT_FOUND', 'There is no such profile.');
        return { profileId, status: 'connected' as const };
      }),
  });
  return {
    service,
    caller,
    unknownProfiles,
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
