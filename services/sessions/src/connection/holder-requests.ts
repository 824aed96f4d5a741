import type {
  AnswerOf,
  CheckNumbers,
  DeliverMessage,
  DescribeProfile,
  FetchOlderMessages,
  FetchPeople,
  SendReadReceipts,
  SendTyping,
  SettleMessage,
  SteerConnection,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { RequestContext, Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { notConnected } from '../engine/not-connected.ts';
import type { HeldGroups } from '../group/holder-side.ts';
import { findProfile } from '../views/profiles.ts';
import type { Held, Steering } from './holder.ts';
import type { ProfilesHeld } from './profiles-held.ts';
import { toHold } from './wanted-profiles.ts';

/**
 * Requests about a profile that came to some replica instead of to its holder: answered when this one holds it,
 * otherwise nobody does, and nothing has left.
 */
export class HolderRequests {
  readonly #held: ProfilesHeld;
  readonly #sql: Sql;

  constructor(held: ProfilesHeld, sql: Sql) {
    this.#held = held;
    this.#sql = sql;
  }

  async describe({
    organizationId,
    profileId,
  }: Static<(typeof DescribeProfile)['body']>): Promise<AnswerOf<typeof DescribeProfile>> {
    const row = await findProfile(this.#sql, organizationId, profileId);
    if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such profile.');
    return { profileId, status: row.status, ...(row.phone_number !== null && { phoneNumber: row.phone_number }) };
  }

  async deliver(
    body: Static<(typeof DeliverMessage)['body']>,
    { deadline, traceparent }: Pick<RequestContext, 'deadline' | 'traceparent'>,
  ): Promise<AnswerOf<typeof DeliverMessage>> {
    return this.#holder(body.profileId).deliver(body, deadline, traceparent);
  }

  async settle(body: Static<(typeof SettleMessage)['body']>): Promise<AnswerOf<typeof SettleMessage>> {
    return this.#holder(body.profileId).settle(body);
  }

  async checkNumbers(
    body: Static<(typeof CheckNumbers)['body']>,
    { deadline }: Pick<RequestContext, 'deadline'>,
  ): Promise<AnswerOf<typeof CheckNumbers>> {
    return this.#holder(body.profileId).checkNumbers(body, deadline);
  }

  async markRead(body: Static<(typeof SendReadReceipts)['body']>): Promise<object> {
    return this.#holder(body.profileId).markRead(body);
  }

  async setTyping(body: Static<(typeof SendTyping)['body']>): Promise<object> {
    return this.#holder(body.profileId).setTyping(body);
  }

  async olderMessages(body: Static<(typeof FetchOlderMessages)['body']>): Promise<AnswerOf<typeof FetchOlderMessages>> {
    return this.#holder(body.profileId).olderMessages(body);
  }

  async people(body: Static<(typeof FetchPeople)['body']>): Promise<AnswerOf<typeof FetchPeople>> {
    return this.#holder(body.profileId).people(body);
  }

  /** @throws Refused PROFILE_NOT_CONNECTED */
  groups(profileId: string): HeldGroups {
    return this.#holder(profileId).groups;
  }

  async steer(body: Static<(typeof SteerConnection)['body']>): Promise<AnswerOf<typeof SteerConnection>> {
    const held = this.#held.get(body.profileId) ?? (body.action === 'resume' ? await this.#resumed(body) : undefined);
    return (held ?? this.#holder(body.profileId)).steer(body);
  }

  /** A replica that stops asks any other to take over. */
  async #resumed({ organizationId, profileId }: Steering): Promise<Held | undefined> {
    const row = await findProfile(this.#sql, organizationId, profileId);
    if (row?.is_wanted !== true) return undefined;
    const isComing = row.status === 'connected';
    return this.#held.take({ ...toHold(row), isComing });
  }

  #holder(profileId: string): Held {
    const held = this.#held.get(profileId);
    if (held === undefined) throw notConnected();
    return held;
  }
}
