import { DeliverMessage, SettleMessage, type AnswerOf } from '@messaging-gateway/contracts';
import { isUnseen, Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Failure } from '../message/message.ts';
import type { OpenMessage, Parcel } from './agenda.ts';

/** What became of a hand-over. Times in milliseconds since 1970. */
export type HandOver =
  | {
      readonly outcome: 'sent';
      readonly handedOverAt: number;
      /** Sessions tells so again after a crash. */
      readonly isKept?: boolean;
    }
  /** The network, or sessions before it, said no. `handedOverAt` is absent when nothing left. */
  | { readonly outcome: 'refused'; readonly error: Failure; readonly handedOverAt?: number }
  /** It may have left. */
  | { readonly outcome: 'lost'; readonly handedOverAt: number }
  /** Nothing has left: the profile has no connection, or nobody holds it now. */
  | { readonly outcome: 'not-connected' }
  /** Nothing has left, for a reason that passes. */
  | { readonly outcome: 'not-now' }
  /** Nothing has left: the lane has been used with this newer epoch. */
  | { readonly outcome: 'disowned'; readonly newestEpoch: number };

/** What sessions knows about a message whose outcome was lost. */
type Settlement =
  | HandOver
  | { readonly outcome: 'never-seen' }
  | { readonly outcome: 'may-have-left' }
  | { readonly outcome: 'no-answer' };

export interface Address {
  readonly organizationId: string;
  readonly profileId: string;
  readonly epoch: number;
  /** The profile was connected when it was last heard of: when nobody answers for it, the next holder is waited for. */
  readonly isConnected: boolean;
}

export interface Courier {
  /** @param keep the answer of sessions is to outlive a crash, where that costs little */
  deliver(address: Address, entry: OpenMessage, parcel: Parcel, keep: boolean): Promise<HandOver>;
  settle(address: Address, entry: OpenMessage, networkMessageId: string): Promise<Settlement>;
}

/** How long sessions has for one hand-over, milliseconds: media are fetched, encrypted and uploaded in it. */
const deliveryTime = 20_000;
const mediaTime = 60_000;

/** Hands messages to the owner of the connection and reads what its answers and silences mean. */
export function courier(tools: Pick<ServiceTools<unknown>, 'ask' | 'clock'>): Courier {
  const { ask, clock } = tools;
  const trace = ({ requestId, traceparent }: OpenMessage): { requestId?: string; traceparent?: string } => ({
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceparent }),
  });

  const deliver: Courier['deliver'] = async (address, entry, { facts, content }, keep) => {
    const { organizationId, profileId, epoch, isConnected } = address;
    const { messageId, networkMessageId, to } = facts;
    const askedAt = clock.now();
    const attempt = entry.attempts + 1;
    const message = { organizationId, profileId, messageId, networkMessageId, laneEpoch: epoch, attempt, to, content };
    const body = { ...message, ...(keep && { keep }) };
    try {
      const answer = await ask(DeliverMessage, body, {
        route: profileId,
        deadline: askedAt + ('media' in content ? mediaTime : deliveryTime),
        ...(!isConnected && { holdMs: 0 }),
        ...trace(entry),
      });
      return handOverOf(answer, askedAt, clock);
    } catch (error) {
      return failedHandOver(error, clock);
    }
  };

  const settle: Courier['settle'] = async ({ organizationId, profileId, epoch }, entry, networkMessageId) => {
    try {
      const answer = await ask(
        SettleMessage,
        { organizationId, profileId, networkMessageId, laneEpoch: epoch },
        { route: profileId, ...trace(entry) },
      );
      return settlementOf(answer, clock);
    } catch (error) {
      return disowned(error) ?? { outcome: 'no-answer' };
    }
  };

  return { deliver, settle };
}

function handOverOf(answer: AnswerOf<typeof DeliverMessage>, askedAt: number, clock: Clock): HandOver {
  const handedOverAt = timeOfHandOver(Date.parse(answer.handedOverAt), askedAt, clock);
  switch (answer.outcome) {
    case 'acknowledged':
      return { outcome: 'sent', handedOverAt, ...(answer.kept === true && { isKept: true }) };
    case 'refused':
      return { outcome: 'refused', error: failureOf(answer.code, answer.reason), handedOverAt };
    case 'handed-over':
      return { outcome: 'lost', handedOverAt };
  }
}

/**
 * An earlier hand-over, answered from the record, counts from its own time. One of now counts from its answer:
 * sessions stamps it before the stanza is written, and the delay may be longer, never shorter.
 */
function timeOfHandOver(told: number, askedAt: number, clock: Clock): number {
  return told < askedAt - clocksDiffer ? told : clock.now();
}
/** How far the clocks of two processes are apart, at most, milliseconds. */
const clocksDiffer = 5000;

function settlementOf(answer: AnswerOf<typeof SettleMessage>, clock: Clock): Settlement {
  const handedOverAt = Math.min(
    answer.handedOverAt === undefined ? clock.now() : Date.parse(answer.handedOverAt),
    clock.now(),
  );
  switch (answer.state) {
    case 'acknowledged':
      return { outcome: 'sent', handedOverAt };
    case 'refused':
      return { outcome: 'refused', error: failureOf(answer.code, answer.reason), handedOverAt };
    case 'handed-over':
      return { outcome: 'may-have-left' };
    case 'never-seen':
      return { outcome: 'never-seen' };
  }
}

const failureOf = (code: string | undefined, reason: string | undefined): Failure => ({
  code: code ?? 'ENGINE_REFUSED',
  message: reason ?? 'The network refused the message.',
});

/** Only what certainly left nothing behind is more than "lost". */
function failedHandOver(error: unknown, clock: Clock): HandOver {
  const lost = { outcome: 'lost', handedOverAt: clock.now() } as const;
  if (!(error instanceof Refused)) return lost;
  const { code, message } = error;
  const details = error.details as { nothingLeft?: unknown } | undefined;
  if (code === 'PROFILE_NOT_CONNECTED' || isUnseen(error)) return { outcome: 'not-connected' };
  const taken = disowned(error);
  if (taken !== undefined) return taken;
  if (details?.nothingLeft !== true) return lost;
  if (code === 'SERVICE_UNAVAILABLE' || code === 'INTERNAL_ERROR') return { outcome: 'not-now' };
  return { outcome: 'refused', error: { code, message } };
}

function disowned(error: unknown): Extract<HandOver, { outcome: 'disowned' }> | undefined {
  if (!(error instanceof Refused) || error.code !== 'CONFLICT') return undefined;
  const { nothingLeft, laneEpoch = 0 } = (error.details ?? {}) as { nothingLeft?: unknown; laneEpoch?: number };
  return nothingLeft === true ? { outcome: 'disowned', newestEpoch: laneEpoch } : undefined;
}
