import {
  ChangeGroup,
  ChangeParticipants,
  CheckNumbers,
  DeliverMessage,
  FetchOlderMessages,
  FetchPeople,
  MakeGroup,
  QueryHealth,
  ReadGroups,
  ReadInvitation,
  ReviewPresence,
  SendReadReceipts,
  SendTyping,
  SettleMessage,
  SteerConnection,
  type AnswerOf,
  type InternalOperation,
} from '@messaging-gateway/contracts';
import type { RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { changeGroup, changeParticipants, newGroup, readGroups } from '../groups/network-groups.ts';
import type { HeldProfile, HeldSession, HolderRequest } from './held-profile.ts';

/** How long the phone may take to hand over older messages, milliseconds. */
const phoneMs = 15_000;

/** Requests that only the replica that holds a profile can answer. Each row is served by the profile's route, and on any replica. */
export const holderRequests: readonly HolderRequest[] = [
  ofSession(DeliverMessage, ({ sender }, body, { deadline, traceparent }) => sender.send(body, deadline, traceparent)),
  ofProfile(SettleMessage, async (held, { organizationId, networkMessageId, laneEpoch }) =>
    held.current(organizationId).sender.settle(networkMessageId, laneEpoch),
  ),
  ofSession(CheckNumbers, async ({ session, numbers, countNumberChecks }, { phones }, { deadline }) => {
    await countNumberChecks(phones.length);
    return { known: [...(await numbers.inTurn(() => session.checkNumbers(phones), deadline))] };
  }),
  ofSession(SendReadReceipts, async ({ session }, { chat, messages }) => {
    await session.markRead(chat, messages);
    return {};
  }),
  ofSession(SendTyping, async ({ session }, { chat, state }) => {
    await session.setTyping(chat, state);
    return {};
  }),
  ofSession(ReviewPresence, async ({ followed }) => {
    await followed.review();
    return {};
  }),
  ofSession(FetchOlderMessages, async ({ session }, { chat, oldest, count }) => {
    const { networkMessageIds, ...said } = await session.olderMessages({ chat, oldest, count, waitMs: phoneMs });
    return { networkMessageIds: [...networkMessageIds], ...said };
  }),
  ofSession(FetchPeople, async ({ session }, { after = '', limit }) => {
    const { people, next } = await session.people(after, limit);
    return { people: [...people], ...(next !== undefined && { next }) };
  }),
  ofSession(QueryHealth, async ({ health }) => {
    await health.query();
    return {};
  }),
  ofSession(ReadGroups, ({ session }, body) => readGroups(session.groups, body)),
  ofSession(MakeGroup, ({ session, data, now }, body) => newGroup(session.groups, data, now(), body)),
  ofSession(ChangeGroup, ({ session }, body) => changeGroup(session.groups, body)),
  ofSession(ChangeParticipants, ({ session }, body) => changeParticipants(session.groups, body)),
  ofSession(ReadInvitation, async ({ session }, { groupId, renew }) => ({
    code: await session.groups.invitation(groupId, renew),
  })),
  // A replica that stops asks any other to take over.
  ofProfile(
    SteerConnection,
    (held, body) => held.steer(body),
    ({ action }) => action === 'resume',
  ),
];

/** Every request to a holder says which profile it is about, and whose that is. */
interface AboutProfile {
  readonly organizationId: string;
  readonly profileId: string;
}
type About<O extends InternalOperation> = Static<O['body']> & AboutProfile;
type HolderOperation<O extends InternalOperation> = Static<O['body']> extends AboutProfile ? O : never;

/** A request about a profile as it stands at its holder. @param takes whether a replica takes the profile for it, where it does not hold it */
function ofProfile<O extends InternalOperation>(
  contract: O & HolderOperation<O>,
  handler: (held: HeldProfile, body: About<O>, context: RequestContext) => Promise<AnswerOf<O>>,
  takes: (body: About<O>) => boolean = () => false,
): HolderRequest {
  return {
    serve: (serveRoute, held) =>
      serveRoute<O>(contract, held.lease.profileId, (body, context) => handler(held, body, context)),
    row: (holder) => ({
      row: 'internal',
      contract,
      handler: async (body: About<O>, context: RequestContext) =>
        handler(await holder(body, takes(body)), body, context),
    }),
  };
}

/** A request about what is open of a profile: one that is on its way to its holder is waited for. */
function ofSession<O extends InternalOperation>(
  contract: O & HolderOperation<O>,
  handler: (session: HeldSession, body: About<O>, context: RequestContext) => Promise<AnswerOf<O>>,
): HolderRequest {
  return ofProfile<O>(contract, (held, body, context) =>
    held.ask(body.organizationId, (session) => handler(session, body, context)),
  );
}
