import type {
  AnswerOf,
  ConversationJoined,
  DataOf,
  EventEnvelope,
  ListCountedMessages,
  MessageAccepted,
  MessageReceived,
  MessageSent,
  MessageStatusWord,
} from '@messaging-gateway/contracts';
import type { Fact, News } from './fact.ts';
import { placeOf, timeOfId } from './place.ts';

type Envelope = Pick<EventEnvelope, 'organizationId' | 'profileId'>;

/** Of a chat. */
const isGroup = (jid: string): boolean => jid.endsWith('@g.us');

const told = (fact: Omit<Fact, 'place' | 'at'>, time: number): News => ({
  kind: 'message',
  ...fact,
  ...placeOf(fact.messageId, time),
});

/** The inbox has made these ids of the time at which the message belongs. */
const timeOf = (id: string, timestamp: string): number => timeOfId(id) ?? Date.parse(timestamp);

export function received(data: DataOf<typeof MessageReceived>, { organizationId, profileId }: Envelope): News[] {
  if (profileId === undefined) return [];
  const { id: messageId, conversationId, from, type, timestamp } = data;
  const fact = { organizationId, messageId, profileId, conversationId, type, isPrivate: !isGroup(from) };
  return [told({ ...fact, direction: 'incoming', origin: '', status: 'received' }, timeOf(messageId, timestamp))];
}

export function accepted(data: DataOf<typeof MessageAccepted>, { organizationId }: Envelope): News[] {
  const { messageId, profileId, conversationId, to, type, origin, isCode, acceptedAt } = data;
  const fact = { organizationId, messageId, profileId, conversationId, type, isPrivate: !isGroup(to) };
  const outgoing = { ...fact, direction: 'outgoing', origin: isCode ? 'code' : origin, status: 'queued' } as const;
  return [told(outgoing, Date.parse(acceptedAt))];
}

/** News of `message.sent`. A message that the owner has written on the phone is told by this event alone. */
export function sent(data: DataOf<typeof MessageSent>, { organizationId, profileId }: Envelope, time: string): News[] {
  const { messageId, conversationId, to, type, origin, timestamp = time } = data;
  if (origin !== 'phone') return progressed({ messageId, status: 'sent' }, { organizationId });
  if (profileId === undefined) return [];
  const fact = { organizationId, messageId, profileId, conversationId, type, isPrivate: !isGroup(to) };
  return [told({ ...fact, direction: 'outgoing', origin, status: 'sent' }, timeOf(messageId, timestamp))];
}

export const progressed = (
  { messageId, status }: { readonly messageId: string; readonly status: MessageStatusWord },
  { organizationId }: Pick<Envelope, 'organizationId'>,
): News[] => [{ kind: 'progress', organizationId, messageId, status }];

export const joined = (
  { conversationId, into }: DataOf<typeof ConversationJoined>,
  { organizationId }: Pick<Envelope, 'organizationId'>,
): News[] => [{ kind: 'join', organizationId, conversationId, into }];

/** A message that the inbox has stored. */
export function stored({
  isCode,
  origin,
  at,
  status,
  ...fact
}: AnswerOf<typeof ListCountedMessages>['items'][number]): News {
  const word = { origin: isCode ? 'code' : (origin ?? ''), status: status as MessageStatusWord };
  return told({ ...fact, ...word }, Date.parse(at));
}
