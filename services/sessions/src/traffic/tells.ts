import {
  GroupParticipants,
  GroupUpdated,
  SessionChatMarked,
  SessionDisappearing,
  SessionGroupNamed,
  SessionHistory,
  SessionMessage,
  SessionMessageChanged,
  SessionNumberChanged,
  SessionReceipt,
} from '@messaging-gateway/contracts';
import { publication, tells, type Publication } from '@messaging-gateway/service';
import { accountTrafficStream, factOf, trafficStream, type TrafficEvent } from './traffic.ts';

/** Facts from the network, as everyone is told of them. */
export const trafficTells = tells(trafficStream, {
  MessageSeen: ({ data, at }) => [messageTold(data, at)],
  MessageChangeSeen: ({ data }) => [publication(SessionMessageChanged, factOf(data))],
  ReceiptSeen: ({ data }) => [publication(SessionReceipt, factOf(data))],
  GroupChangeSeen: ({ data }) => [publication(GroupUpdated, factOf(data))],
  ParticipantsSeen: ({ data }) => [publication(GroupParticipants, factOf(data))],
  GroupNameSeen: ({ data }) => [publication(SessionGroupNamed, factOf(data))],
});

export const accountTrafficTells = tells(accountTrafficStream, {
  ChatMarked: ({ data }) => [publication(SessionChatMarked, factOf(data))],
  NumberChanged: ({ data }) => [publication(SessionNumberChanged, factOf(data))],
  ChatDisappearing: ({ data }) => [publication(SessionDisappearing, factOf(data))],
});

/** The time of a message is when it came, which is what its place in its chat goes by: not when it was told. */
function messageTold(
  { arrivedAt = Infinity, ...seen }: Extract<TrafficEvent, { type: 'MessageSeen' }>['data'],
  at: Date,
): Publication {
  const message = factOf(seen);
  const { delivery } = message;
  if (delivery === 'history') return publication(SessionHistory, { ...message, delivery });
  return { ...publication(SessionMessage, message), time: new Date(Math.min(arrivedAt, at.getTime())).toISOString() };
}
