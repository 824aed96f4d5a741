import { check, sendRoutes, type AcceptMessage, type AnswerOf, type Caller } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { type Compose, jidOf } from './drafts.ts';
import type { LaneRecords } from '../gate/lane-records.ts';
import { isKnown, type KnownMessage, messageStream } from '../message/message.ts';
import { openProfile } from './profile-access.ts';
import type { UnattendedSending } from './unattended.ts';

export interface AcceptanceParts {
  readonly store: EventStore;
  readonly lanes: LaneRecords;
  readonly compose: Compose;
  readonly unattended: UnattendedSending;
}

type Answer = AnswerOf<typeof AcceptMessage>;
type Body = Static<(typeof AcceptMessage)['body']>;

/**
 * Takes in messages that other services hand over. They make the ids, so that whoever tries again, after a crash or on another
 * replica, meets the same message.
 *
 * @see docs/decisions/0747-messages-of-other-services.md
 */
export const acceptance =
  ({ store, lanes, compose, unattended }: AcceptanceParts) =>
  async (body: Body, context: RequestContext): Promise<Answer> => {
    const { messageId, organizationId, profileId, to, type, content, origin, actor, attempts } = body;
    const caller: Caller = { organizationId, userId: actor, permissions: [] };
    const accept = async (): Promise<Answer> => {
      const faults = check(sendRoutes[type].body, { profileId, to, ...content }, 'content');
      if (faults.length > 0) throw invalid(faults);
      const jid = jidOf(to, 'to');
      const composed = await compose(type, content, { profileId, to: jid, caller, context, path: 'content' });
      const terms = { attempts, ...(body.expiresAt !== undefined && { expiresAt: body.expiresAt }) };
      const { templateId } = body;
      const draft = {
        profileId,
        to: jid,
        ...composed,
        origin,
        terms,
        ...(templateId !== undefined && { templateId }),
      };
      const { message, isRepeat } = await unattended.enter({ messageId, organizationId, actor, draft });
      return isRepeat ? answerOf(message) : { status: 'queued', attempts: 0 };
    };
    if (isPlain(body) && unattended.hasLane(profileId, organizationId)) {
      try {
        return await accept();
      } catch (error) {
        // What the id stands for already is answered of that, even if it would be refused now.
        if (!(error instanceof Refused)) throw error;
      }
    }
    const known = await store.load(messageStream, messageId);
    if (isKnown(known.state)) return answerOf(known.state);
    await openProfile(lanes, profileId, caller);
    return accept();
  };

/** Whether a message needs nothing of anybody else, so that the append alone tells whether the id stands for a message already. */
const isPlain = ({ type, content }: Body): boolean => type === 'text' && content['quotedMessageId'] === undefined;

function answerOf({ status, attempts, error, handedOverAt }: KnownMessage): Answer {
  switch (status) {
    case 'accepted':
      return { status: 'queued', attempts };
    case 'unknown':
      return { status, attempts: attempts + 1 };
    case 'failed':
      return { status, attempts, ...(error !== undefined && { error }) };
    case 'sent':
    case 'delivered':
    case 'read':
    case 'played':
      return {
        status: 'sent',
        attempts: attempts + 1,
        ...(handedOverAt !== undefined && { at: handedOverAt }),
      };
  }
}
