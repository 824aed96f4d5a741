import type { AnswerOf, ApplySendingPolicy, ReadSendingStates } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Simulator } from '@messaging-gateway/network-simulator';
import type { Static } from 'typebox';
import type { SessionsSettings } from '../config.ts';

type State = AnswerOf<typeof ApplySendingPolicy>;

/** Outbound's send gate as far as sessions asks it. */
export function fakeOutbound() {
  const states = new Map<string, State>();
  const gate = {
    away: false,
    apply: ({ profileId, messageDelayMs, dailyMessageLimit }: Static<(typeof ApplySendingPolicy)['body']>): State => {
      if (gate.away) throw new Refused('SERVICE_UNAVAILABLE', 'Away.');
      const before = states.get(profileId) ?? {
        profileId,
        messageDelayMs: 1500,
        dailyMessageLimit: null,
        dailyMessageCount: 0,
        dailyResetAt: '2026-01-01T17:00:00.000Z',
      };
      const state = {
        ...before,
        ...(messageDelayMs !== undefined && { messageDelayMs }),
        ...(dailyMessageLimit !== undefined && { dailyMessageLimit }),
      };
      states.set(profileId, state);
      return state;
    },
    read: ({ profileIds }: Static<(typeof ReadSendingStates)['body']>): AnswerOf<typeof ReadSendingStates> => ({
      items: profileIds.map((id) => states.get(id)).filter((state) => state !== undefined),
    }),
  };
  return gate;
}

/** Settings against a simulated network. */
export const testSettings = (
  network: Pick<Simulator, 'url' | 'rootKey'> & { readonly caFile?: string },
  directory: string,
): SessionsSettings => ({
  directory,
  defaultEngine: undefined,
  engineHost: 'api',
  socketUrl: network.url,
  socketRootKey: network.rootKey,
  socketCaFile: network.caFile,
  clientVersion: undefined,
  reconnectsPerSecond: 50,
  profilesPerProcess: 500,
  rebalanceSeconds: 0,
  profileQuota: 1_000,
  unscannedQuota: 0,
  messageSecretDays: 30,
  allowPrivateTargets: true,
  isAlone: true,
});
