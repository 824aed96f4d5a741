import {
  ContactUpdated,
  ConversationJoined,
  MessageDeleted,
  MessageEdited,
  MessageFailed,
  MessageReaction,
  MessageReceived,
  MessageRecovered,
  MessageSent,
  MessageStatusChanged,
  type EventEnvelope,
} from '@messaging-gateway/contracts';
import { batchedReaction, type ServiceTools } from '@messaging-gateway/service';
import type { Answers } from './answers.ts';
import { isFor, type Bridges } from './bridges.ts';
import type { Outbox } from './outbox.ts';
import { find } from './posting.ts';
import type { Told } from './told.ts';

interface OfChat {
  readonly conversationId: string;
  /** JID. */
  readonly chat: string;
  readonly messageId: string | undefined;
}

type Parts = Pick<ServiceTools<unknown>, 'clock' | 'sql'> & {
  readonly bridges: Bridges;
  readonly outbox: Outbox;
  readonly answers: Answers;
};

type Put = (event: EventEnvelope, of: OfChat, told: Told) => Promise<void>;

/** Puts what happens in chats into their lines. */
export function chatReactions(parts: Parts) {
  const { clock, bridges, outbox } = parts;
  const put = async (
    { id: eventId, organizationId, profileId }: EventEnvelope,
    { conversationId, chat, messageId }: OfChat,
    told: Told,
  ): Promise<void> => {
    if (profileId === undefined) return;
    const bridge = await bridges.of(organizationId);
    if (bridge.inbox === undefined || !isFor(bridge, profileId)) return;
    await outbox.put({ eventId, organizationId, profileId, conversationId, chat, messageId, told, now: clock.now() });
  };
  return [...messageReactions(put), joinReaction(put), numberReaction(put, parts), ...progressReactions(put, parts)];
}

const messageReactions = (put: Put) => [
  batchedReaction(MessageReceived, async (data, event) => {
    const { conversationId, from: chat, id: messageId } = data;
    await put(event, { conversationId, chat, messageId }, { kind: 'received', data });
  }),
  batchedReaction(MessageRecovered, async (data, event) => {
    const { conversationId, from: chat, id: messageId } = data;
    await put(event, { conversationId, chat, messageId }, { kind: 'recovered', data });
  }),
  batchedReaction(MessageSent, async (data, event) => {
    const { conversationId, to: chat, messageId } = data;
    await put(event, { conversationId, chat, messageId }, { kind: 'sent', data });
  }),
  batchedReaction(MessageEdited, async ({ conversationId, from: chat, messageId, fromMe, body }, event) => {
    const data = { messageId, fromMe, ...(body !== undefined && { body }) };
    await put(event, { conversationId, chat, messageId }, { kind: 'edited', data });
  }),
  batchedReaction(MessageDeleted, async ({ conversationId, from: chat, messageId, fromMe }, event) => {
    await put(event, { conversationId, chat, messageId }, { kind: 'deleted', data: { messageId, fromMe } });
  }),
  batchedReaction(MessageReaction, async ({ conversationId, from: chat, messageId, fromMe, emoji }, event) => {
    await put(event, { conversationId, chat, messageId }, { kind: 'reaction', data: { messageId, fromMe, emoji } });
  }),
];

/** In the line of the chat that is one no longer: what waits there goes first. */
const joinReaction = (put: Put) =>
  batchedReaction(ConversationJoined, async ({ conversationId, into }, event) => {
    const of = { conversationId, chat: '', messageId: undefined };
    await put(event, of, { kind: 'joined', data: { into } });
  });

/** In the lines of the chats with a person whose number has changed. Answers of agents go to the new number from then on. */
const numberReaction = (put: Put, { sql }: Pick<Parts, 'sql'>) =>
  batchedReaction(ContactUpdated, async ({ change, profileId, phone, previousPhone }, event) => {
    if (change !== 'number' || previousPhone === undefined || !phone || profileId === null) return;
    const chat = `${phone}@c.us`;
    const lanes = await sql.query<{ conversation_id: string }>(
      `UPDATE chatwoot_lanes SET chat = $4
        WHERE organization_id = $1 AND profile_id = $2 AND chat = ANY ($3::text[]) AND joined_into IS NULL
       RETURNING conversation_id`,
      [event.organizationId, profileId, [`${previousPhone}@c.us`, chat], chat],
    );
    const told = { kind: 'number', data: { phone, previousPhone } } as const;
    for (const { conversation_id: conversationId } of lanes)
      await put({ ...event, profileId }, { conversationId, chat, messageId: undefined }, told);
  });

const progressReactions = (put: Put, { sql, outbox, answers }: Parts) => [
  batchedReaction(MessageStatusChanged, async ({ conversationId, to: chat, messageId, status }, event) => {
    if (status !== 'delivered' && status !== 'read' && status !== 'played') return;
    const data = { status: status === 'played' ? ('read' as const) : status };
    await put(event, { conversationId, chat, messageId }, { kind: 'status', data });
  }),
  batchedReaction(MessageFailed, async ({ conversationId, to: chat, messageId, error }, event) => {
    await put(
      event,
      { conversationId, chat, messageId },
      { kind: 'status', data: { status: 'failed', error: error.message } },
    );
    const lane = await outbox.lane(conversationId);
    const known = lane && (await find({ sql }, lane, messageId));
    if (lane !== undefined && known?.byAgent === true)
      await answers.note(lane, messageId, known.remoteId, error.message);
  }),
];
