import { randomUUID } from 'node:crypto';
import { DescribeProfile } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';
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
   * Accepts a message under an id that is the same whoever tries and however often, and tells its lane.
   *
   * @throws Refused NOT_FOUND, DAILY_LIMIT_REACHED; Unavailable
   */
  async enter({ messageId, organizationId, actor, draft }: LaterMessage): Promise<void> {
    const order = { draft, organizationId, actor, messageId, repeated: true };
    const requestId = randomUUID();
    await this.#parts.acceptance.append(order, messageId, { requestId, traceparent: undefined });
    await this.#tell(draft.profileId, organizationId);
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

  /** Whoever owns the lane reads the table anew; if nobody does, this process takes it. */
  async #tell(profileId: string, organizationId: string): Promise<void> {
    const { lanes, news } = this.#parts;
    try {
      const lane = await lanes.find(profileId, organizationId);
      if (lane === undefined) news.mention({ profileId, organizationId });
      else lane.suspect(0);
    } catch (error) {
      // The lane was closed meanwhile: what is queued fails.
      if (!(error instanceof Refused)) throw error;
    }
  }
}
