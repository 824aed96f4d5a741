import { parseRecipient, type BodyOf, type SendOtp } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { OperationInput, RequestContext } from '@messaging-gateway/service';
import { invalidField } from '../composing/faults.ts';
import { jidOf } from '../sending/drafts.ts';
import { isKnown, messageStream } from '../message/message.ts';
import { openProfile } from '../sending/profile-access.ts';
import type { Draft } from '../sending/send-order.ts';
import type { Sending } from '../sending/sending.ts';
import type { LaneRecords } from '../gate/lane-records.ts';
import { channelTime, type Channel, type Otp } from './channels.ts';
import type { SecondaryRights } from './secondary-rights.ts';

type Body = BodyOf<typeof SendOtp>;

export interface OtpSendingParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lanes: LaneRecords;
  readonly sending: Pick<Sending, 'send'>;
  /** How long the delivery receipt is waited for after the hand-over, milliseconds. */
  readonly ackTimeoutMs: number;
  /** By mail, when the request names an address: by the server of the tenant, which need not have one. */
  readonly tenantMail: (organizationId: string, context: RequestContext) => Channel;
  /** By the server of the installation. */
  readonly mail: Channel | undefined;
  readonly http: Channel | undefined;
  readonly rights: Pick<SecondaryRights, 'wasLinked' | 'take'>;
}

/** Between two looks for the receipt, milliseconds: any replica may record it. */
const lookMs = 100;
/** Kept back from the deadline for the answer, milliseconds. */
const answerTime = 1000;
const placeholder = '{{code}}';
const usualText = 'Your verification code is {{code}}.';

/** The network's part in the sending of a code. */
interface ByNetwork {
  readonly messageId: string;
  /** Why it is not known to be there: `NOT_DELIVERED` or an error code. */
  readonly reason?: string;
  readonly refusal?: Refused;
}

/** `POST /messages/otp`: by the network if its delivery is confirmed in time, else by another way (docs/decisions/0372). */
export class OtpSending {
  readonly #parts: OtpSendingParts;

  constructor(parts: OtpSendingParts) {
    this.#parts = parts;
  }

  /** @throws Refused OTP_DELIVERY_FAILED, and what every send throws before it has begun */
  async send(input: OperationInput<Body>) {
    const { body, caller } = input;
    await openProfile(this.#parts.lanes, body.profileId, caller);
    const to = jidOf(body.to, 'body.to');
    if (body.text?.includes(placeholder) === false) throw invalidField('body.text', `must hold ${placeholder}`);
    const text = (body.text ?? usualText).replaceAll(placeholder, () => body.code);
    const { messageId, reason, refusal } = await this.#byNetwork(input, {
      to,
      content: { type: 'text', content: { text } },
    });
    if (reason === undefined) return { messageId, channel: 'network', status: 'delivered' } as const;
    const { code, email } = body;
    const otp = { to: parseRecipient(body.to)?.phone ?? body.to, code, text, ...(email !== undefined && { email }) };
    const other = await this.#otherwise(otp, messageId, input);
    if (other === 'delivered' || other === 'sent')
      return { messageId, channel: 'fallback', status: other, reason } as const;
    if (reason === 'DAILY_LIMIT_REACHED') throw refusal;
    const details = { messageId, reason, ...(other !== undefined && { secondary: other }) };
    throw new Refused('OTP_DELIVERY_FAILED', 'The code reached the recipient on no channel.', details);
  }

  async #byNetwork(
    { body: { profileId }, caller, context }: OperationInput<Body>,
    draft: Pick<Draft, 'to' | 'content'>,
  ): Promise<ByNetwork> {
    const { ackTimeoutMs, sending } = this.#parts;
    const deadline = context.deadline - ackTimeoutMs - channelTime - answerTime;
    try {
      const asked = {
        profileId,
        caller,
        context: { ...context, deadline },
        mode: 'synchronous',
        isCode: true,
      } as const;
      const { sent } = await sending.send(asked, async () => draft);
      const messageId = sent?.messageId ?? context.resourceId;
      if (await this.#isDelivered(messageId, context)) return { messageId };
      return { messageId, reason: 'NOT_DELIVERED' };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { messageId: context.resourceId, reason: error.code, refusal: error };
    }
  }

  async #isDelivered(messageId: string, { deadline }: RequestContext): Promise<boolean> {
    const { ackTimeoutMs, clock, store } = this.#parts;
    const until = Math.min(clock.now() + ackTimeoutMs, deadline - channelTime - answerTime);
    for (;;) {
      const { state } = await store.load(messageStream, messageId);
      if (isKnown(state) && ['delivered', 'read', 'played'].includes(state.status)) return true;
      const left = until - clock.now();
      if (left <= 0) return false;
      await clock.sleep(Math.min(lookMs, left));
    }
  }

  /** @returns why no other way was open; undefined when there is none, or none got there */
  async #otherwise(
    otp: Otp,
    messageId: string,
    { body, caller, context }: OperationInput<Body>,
  ): Promise<'delivered' | 'sent' | 'NEVER_LINKED' | 'DAILY_LIMIT_REACHED' | undefined> {
    const { http, log, mail, rights, tenantMail } = this.#parts;
    const { organizationId } = caller;
    const own = otp.email === undefined ? undefined : tenantMail(organizationId, context);
    const ofInstallation = [otp.email === undefined ? undefined : mail, http].filter((one) => one !== undefined);
    if (own === undefined && ofInstallation.length === 0) return undefined;
    if (!(await rights.wasLinked(organizationId, body.profileId))) return 'NEVER_LINKED';
    const by = async (channel: Channel): ReturnType<Channel> => {
      try {
        return await channel(otp);
      } catch (error) {
        log.warn('A secondary channel of a one-time code failed', { messageId, reason: (error as Error).name });
        return undefined;
      }
    };
    const byOwn = own && (await by(own));
    if (byOwn !== undefined || ofInstallation.length === 0) return byOwn;
    if (!(await rights.take(organizationId, otp))) return 'DAILY_LIMIT_REACHED';
    for (const channel of ofInstallation) {
      const status = await by(channel);
      if (status !== undefined) return status;
    }
    return undefined;
  }
}
