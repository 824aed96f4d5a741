import type { AnswerOf, DeliverMessage, SettleMessage } from '@messaging-gateway/contracts';
import { isUnseen, Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { Failure } from '../message/message.ts';
import type { Restriction } from '../gate/restriction.ts';

/** Outcome of a hand-over. Times in milliseconds since 1970. */
export type HandOver =
  | {
      readonly outcome: 'sent';
      readonly handedOverAt: number;
      /** Sessions tells so again after a crash. */
      readonly isKept?: boolean;
    }
  /** The network, or sessions before it, said no. `handedOverAt` is absent when nothing left. */
  | { readonly outcome: 'refused'; readonly error: Failure; readonly handedOverAt?: number }
  /** The message may have left. */
  | { readonly outcome: 'lost'; readonly handedOverAt: number }
  /** Nothing has left: the profile has no connection, or nobody holds it now. */
  | { readonly outcome: 'not-connected' }
  /** Nothing has left, for a reason that passes. */
  | { readonly outcome: 'not-now' }
  /** The network has restricted the account: nothing reaches a stranger until the end of the restriction. No attempt is counted. */
  | { readonly outcome: 'restricted'; readonly restriction: Restriction }
  /** Nothing has left: the lane has been used with this newer epoch. */
  | { readonly outcome: 'disowned'; readonly newestEpoch: number };

/** Outcome of a hand-over that was lost, as sessions knows it. */
export type Settlement =
  | HandOver
  | { readonly outcome: 'never-seen' }
  | { readonly outcome: 'may-have-left' }
  | { readonly outcome: 'no-answer' };

/** Outcome of a hand-over by the answer of sessions. @param askedAt milliseconds since 1970 */
export function handOverOf(answer: AnswerOf<typeof DeliverMessage>, askedAt: number, clock: Clock): HandOver {
  const handedOverAt = timeOfHandOver(Date.parse(answer.handedOverAt), askedAt, clock);
  switch (answer.outcome) {
    case 'acknowledged':
      return { outcome: 'sent', handedOverAt, ...(answer.kept === true && { isKept: true }) };
    case 'refused':
      if (answer.restriction !== undefined) return { outcome: 'restricted', restriction: answer.restriction };
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

/** Outcome of an earlier hand-over by the answer of sessions. */
export function settlementOf(answer: AnswerOf<typeof SettleMessage>, clock: Clock): Settlement {
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

/** Outcome of a hand-over that sessions refused or did not answer: anything but "lost" only where certainly nothing has left. */
export function failedHandOver(error: unknown, clock: Clock): HandOver {
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

/** A refusal because the lane has been used with a newer epoch; undefined for others. */
export function disowned(error: unknown): Extract<HandOver, { outcome: 'disowned' }> | undefined {
  if (!(error instanceof Refused) || error.code !== 'CONFLICT') return undefined;
  const { nothingLeft, laneEpoch = 0 } = (error.details ?? {}) as { nothingLeft?: unknown; laneEpoch?: number };
  return nothingLeft === true ? { outcome: 'disowned', newestEpoch: laneEpoch } : undefined;
}
