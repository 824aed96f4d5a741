import {
  ApplySendingPolicy,
  ConnectionReady,
  SendText,
  type Caller,
  type OperationReply,
} from '@messaging-gateway/contracts';
import { testCaller, testService, type CallOptions, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import type { OutboundSettings } from '../config.ts';
import { outbound } from '../index.ts';
import { FakeSessions } from './fake-sessions.ts';
import { notOverMidnight } from './not-over-midnight.ts';
import { noOtherChannels } from './other-channels.ts';

/** Outbound on real PostgreSQL with a network at the other end of the bus. */
export interface OutboundTest {
  readonly service: TestService;
  readonly network: FakeSessions;
  /** A profile with a lane, held by sessions. */
  readonly profile: (policy?: {
    messageDelayMs?: number;
    dailyMessageLimit?: number | null;
    caller?: Caller;
  }) => Promise<TestProfile>;
  readonly stop: () => Promise<void>;
}

export interface TestProfile {
  readonly profileId: string;
  readonly caller: Caller;
  readonly send: (
    text: string,
    options?: Pick<CallOptions, 'resourceId' | 'repeated' | 'timeoutMs'> & { to?: string },
  ) => Promise<OperationReply>;
  readonly reconnect: () => Promise<void>;
}

export const recipient = '4915112345678';

export async function outboundTest(settings: Partial<OutboundSettings> = {}): Promise<OutboundTest> {
  let network: FakeSessions | undefined;
  const service = await testService(outbound, {
    settings: {
      durableSend: false,
      sendConcurrency: 10,
      rebalanceSeconds: 0,
      queuedMessageTtlHours: 72,
      receiptWindowDays: 90,
      sendHistoryRetentionDays: 400,
      ...noOtherChannels,
      isAlone: true,
      allowPrivateTargets: false,
      ffmpeg: undefined,
      ...settings,
    },
    others: async (fake) => {
      network = new FakeSessions({ now: () => service.clock.now() ?? Date.now() } as never, fake);
      await network.serve();
    },
  });
  const sessions = network as FakeSessions;
  return {
    service,
    network: sessions,
    profile: async ({ caller = testCaller(), ...policy } = {}) => {
      const profileId = v7();
      const { organizationId } = caller;
      if (typeof policy.dailyMessageLimit === 'number') notOverMidnight(service.clock);
      await service.ask(ApplySendingPolicy, { organizationId, profileId, messageDelayMs: 0, ...policy });
      await sessions.hold(profileId);
      return {
        profileId,
        caller,
        send: (text, { to = recipient, ...options } = {}) =>
          service.call(SendText, { caller, body: { profileId, to, text }, ...options }),
        reconnect: async () => {
          sessions.disconnected.delete(profileId);
          await service.emit(
            ConnectionReady,
            { phoneNumber: '4915112345678', pushName: null },
            { organizationId, profileId },
          );
        },
      };
    },
    stop: () => service.stop(),
  };
}
