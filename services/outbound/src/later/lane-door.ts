import { randomUUID } from 'node:crypto';
import { DescribeProfile } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { isUnavailable } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Lane } from '../lanes/lane.ts';
import type { Lanes } from '../lanes/lanes.ts';
import type { OwnerNews } from '../lanes/owner-news.ts';
import type { Acceptance } from '../sending/acceptance.ts';
import type { Draft } from '../sending/send-order.ts';

export interface LaneDoorParts {
  /** Of durable messages: what is sent later waits in the table, in either mode. */
  readonly acceptance: Acceptance;
  readonly lanes: Lanes;
  readonly news: OwnerNews;
  readonly ask: ServiceTools<unknown>['ask'];
}

export interface LaterMessage {
  readonly messageId: string;
  readonly organizationId: string;
  readonly actor: string;
  readonly draft: Draft;
}

/** How messages that nobody waits for enter their lanes, from any replica (schedules, batches). */
export class LaneDoor {
  readonly #parts: LaneDoorParts;

  constructor(parts: LaneDoorParts) {
    this.#parts = parts;
  }

  /**
   * Accepts a message under an id that is the same whoever tries and however often, and tells its lane: whoever owns that
   * reads the table anew; if nobody does, this process takes it.
   *
   * @throws Refused NOT_FOUND, DAILY_LIMIT_REACHED; Unavailable
   */
  async enter({ messageId, organizationId, actor, draft }: LaterMessage): Promise<void> {
    const { acceptance, news } = this.#parts;
    const { profileId } = draft;
    // Looked for before, so that it is at hand after: nobody comes back for a message that is accepted.
    const before = await this.#lane(profileId, organizationId);
    const order = { draft, organizationId, actor, messageId, repeated: true };
    try {
      await acceptance.append(order, messageId, { requestId: randomUUID(), traceparent: undefined });
    } catch (error) {
      // It may have been written all the same: the table tells.
      if (isUnavailable(error)) before?.suspect(1000);
      throw error;
    }
    const lane = await this.#lane(profileId, organizationId);
    if (lane === undefined) news.mention({ profileId, organizationId });
    else lane.suspect(0);
  }

  /** Whether a profile is connected now; `gone` when there is no such profile any more. */
  async connection(profileId: string, organizationId: string): Promise<'connected' | 'not-connected' | 'gone'> {
    const { ask, lanes } = this.#parts;
    if (lanes.inMemory(profileId)?.connection.state === 'connected') return 'connected';
    try {
      const { status } = await ask(DescribeProfile, { organizationId, profileId });
      return status === 'connected' ? 'connected' : 'not-connected';
    } catch (error) {
      if (error instanceof Refused && error.code === 'NOT_FOUND') return 'gone';
      throw error;
    }
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
