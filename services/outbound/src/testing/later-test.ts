import { SessionReceipt, type Operation, type OperationReply } from '@messaging-gateway/contracts';
import { passUntil } from './pass-until.ts';
import { outboundTest, recipient, type OutboundTest, type TestProfile } from './outbound-test.ts';

/** Outbound, with what tests of schedules and batches do again and again. */
export interface LaterTest extends OutboundTest {
  /** Moves the clock on in small steps until something holds. */
  readonly passUntil: (holds: () => boolean | Promise<boolean>, stepMs?: number) => Promise<void>;
  /** Texts that reached the network for a profile, in order. */
  readonly textsOf: (profile: TestProfile) => string[];
  /** The first message of a profile was delivered. */
  readonly receipt: (profile: TestProfile) => Promise<void>;
  readonly ask: (profile: TestProfile, contract: Operation, options?: object) => Promise<OperationReply>;
}

export async function laterTest(settings: Parameters<typeof outboundTest>[0] = {}): Promise<LaterTest> {
  const test = await outboundTest(settings);
  const { service, network } = test;
  return {
    ...test,
    passUntil: (holds, stepMs = 250) => passUntil(service, holds, stepMs),
    textsOf: ({ profileId }) =>
      network.handed
        .filter((handed) => handed.profileId === profileId)
        .map(({ content }) => String((content.content as { text?: string }).text)),
    receipt: async ({ profileId, caller: { organizationId } }) => {
      const networkMessageId = network.handed.find((one) => one.profileId === profileId)?.networkMessageId ?? '';
      const at = new Date(service.clock.now()).toISOString();
      const told = { profileId, networkMessageId, status: 'delivered', at } as const;
      await service.emit(SessionReceipt, told, { organizationId, profileId });
    },
    ask: ({ caller }, contract, options = {}) => service.call(contract, { caller, ...options }),
  };
}

export const textTo = (text: string, to = recipient) => ({ to, type: 'text', content: { text } }) as const;
