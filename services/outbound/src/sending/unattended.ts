import { randomUUID } from 'node:crypto';
import { isRefusal, Refused } from '@messaging-gateway/messaging';
import { isUnavailable } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import { askConnection } from '../lanes/connection.ts';
import type { Lane } from '../lanes/lane.ts';
import type { Lanes } from '../lanes/lanes.ts';
import type { Owners } from '../lanes/owners.ts';
import type { Failure } from '../message/message.ts';
import type { Draft } from './send-order.ts';
import type { Accepted, Sending } from './sending.ts';

export interface UnattendedParts {
  readonly sending: Pick<Sending, 'append'>;
  readonly lanes: Lanes;
  readonly owners: Owners;
  readonly ask: ServiceTools<unknown>['ask'];
}

export interface UnattendedMessage {
  readonly messageId: string;
  readonly organizationId: string;
  readonly actor: string;
  readonly draft: Draft;
}

/** How messages that nobody waits for enter their lanes, from any replica (schedules, batches). */
export class UnattendedSending {
  readonly #parts: UnattendedParts;

  constructor(parts: UnattendedParts) {
    this.#parts = parts;
  }

  /**
   * Accepts a message under an id that is the same whoever tries and however often, and tells its lane: whoever owns that
   * reads the table anew; if nobody does, this process takes it. It waits in the table, in either mode.
   *
   * @throws Refused NOT_FOUND, DAILY_LIMIT_REACHED; of a broadcast PROFILE_RESTRICTED, RATE_LIMITED; Unavailable
   */
  async enter({ messageId, organizationId, actor, draft }: UnattendedMessage): Promise<Accepted> {
    const { owners, sending } = this.#parts;
    const { profileId } = draft;
    // Looked for before, so that it is at hand after: nobody comes back for a message that is accepted.
    const before = await this.#lane(profileId, organizationId);
    // A broadcast waits itself until it may send to strangers.
    const refusal = draft.origin === 'broadcast' ? await before?.hold.refusalOf(draft.to) : undefined;
    if (refusal !== undefined) throw refusal;
    const order = { draft: { ...draft, mode: 'durable' as const }, organizationId, actor, messageId, repeated: true };
    let accepted: Accepted;
    try {
      accepted = await sending.append(order, messageId, { requestId: randomUUID(), traceparent: undefined });
    } catch (error) {
      // It may have been written all the same: the table tells.
      if (isUnavailable(error)) before?.suspect(1000);
      throw error;
    }
    const lane = await this.#lane(profileId, organizationId);
    if (lane === undefined) owners.mention({ profileId, organizationId });
    else if (!lane.queue.knows(messageId)) lane.suspect();
    return accepted;
  }

  /** Whether a profile's lane is here: then it is known whose the profile is. */
  hasLane(profileId: string, organizationId: string): boolean {
    return this.#parts.lanes.inMemory(profileId)?.organizationId === organizationId;
  }

  /** Whether a profile is connected now; `gone` when there is no such profile any more. */
  async connection(profileId: string, organizationId: string): ReturnType<typeof askConnection> {
    const isConnected = this.#parts.lanes.inMemory(profileId)?.connection.state === 'connected';
    return isConnected ? 'connected' : askConnection(this.#parts, { organizationId, profileId });
  }

  /** The lane, if this process owns it or can; not that of a profile that is gone: what is queued there fails. */
  async #lane(profileId: string, organizationId: string): Promise<Lane | undefined> {
    try {
      return await this.#parts.lanes.find(profileId, organizationId);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }
}

/** Why messages that were to be sent later never went out. */
export const unsendable = {
  notConnected: { code: 'PROFILE_NOT_CONNECTED', message: 'The profile was not connected for 24 hours.' },
  gone: { code: 'NOT_FOUND', message: 'The profile was deleted.' },
  expired: { code: 'EXPIRED', message: 'The messages could not go out in time.' },
  erased: { code: 'NOT_FOUND', message: 'The content was erased.' },
} as const satisfies Record<string, Failure>;

/** Counted while somebody was there to send it: the time in which the gateway was down does not count. */
export const hasWaited = (patience: number, waitingSince: Date | null, startedAt: number, now: number): boolean =>
  waitingSince !== null && now - Math.max(waitingSince.getTime(), startedAt) >= patience;

/** Why a message could not enter its lane. @throws what is not for good */
export function failureOf(error: unknown): Failure {
  if (!isRefusal(error)) throw error;
  const { code, message } = error;
  return { code, message };
}
