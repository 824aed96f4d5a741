import {
  MessageAccepted,
  MessageFailed,
  MessageQueued,
  MessageSent,
  MessageSettled,
  MessageStatusChanged,
  SessionMessageChanged,
  parseRecipient,
  sentRecordContent,
  shownContent,
  toldContent,
  type DataOf,
  type MessageContentOf,
} from '@messaging-gateway/contracts';
import { feature, publication, tells, type Publication } from '@messaging-gateway/service';
import {
  isChange,
  type MessageFacts,
  type MessageSent as Sent,
  messageStream,
  neverTold,
  type StatusWord,
} from './message.ts';

/** Messages going out, and what they tell. A reaction or a deletion tells what it did to the other message, once the network took it. */
export const messages = feature({
  name: 'messages',
  streams: [messageStream],
  tells: [
    tells(messageStream, {
      MessageAccepted: ({ data }) =>
        unlessChange(data, () => {
          const { day: _, terms: __, content, ...accepted } = data;
          const told = publication(MessageAccepted, {
            ...accepted,
            ...commonOf(data),
            content: toldContent(content as MessageContentOf),
          });
          return data.mode === 'durable' ? [told, publication(MessageQueued, commonOf(data))] : [told];
        }),
      MessageSent: ({ data }) =>
        isChange(data.type)
          ? changeOf(data)
          : [
              publication(MessageSent, sentOf(data)),
              statusOf(data, data.previousStatus, 'sent'),
              ...settledOf(data, { status: 'sent', at: data.handedOverAt }),
            ],
      OutcomeLost: ({ data }) => unlessChange(data, () => [statusOf(data, data.previousStatus, 'unknown')]),
      MessageFailed: ({ data }) =>
        unlessChange(data, () => [
          publication(MessageFailed, { ...commonOf(data), networkMessageId: data.networkMessageId, error: data.error }),
          statusOf(data, data.previousStatus, 'failed'),
          ...settledOf(data, { status: 'failed', at: data.failedAt, error: data.error }),
        ]),
      SettlementAbandoned: ({ data, at }) =>
        settledOf(data, { status: 'failed', at: at.toISOString(), error: neverTold }),
      ReceiptRecorded: ({ data }) => unlessChange(data, () => [statusOf(data, data.previousStatus, data.status)]),
    }),
  ],
});

/** The outcome of a message that another service handed over: told to that service, with the attempts. */
function settledOf(
  { messageId, profileId, origin, attempts = 1 }: SettledMessage,
  outcome: Pick<DataOf<typeof MessageSettled>, 'status' | 'at' | 'error'>,
): readonly Publication[] {
  if (origin !== 'broadcast' && origin !== 'automation') return [];
  return [publication(MessageSettled, { messageId, profileId, origin, attempts, ...outcome })];
}

interface SettledMessage extends Pick<MessageFacts, 'messageId' | 'profileId'> {
  readonly origin?: MessageFacts['origin'];
  readonly attempts?: number;
}

/** `message.sent` of the journal's event; without `content` when an earlier version sent the message, or when it was erased. */
function sentOf(data: Sent['data']): DataOf<typeof MessageSent> {
  const { networkMessageId, content, quotedMessageId, handedOverAt, requestedTo } = data;
  return {
    ...commonOf(data),
    networkMessageId,
    ...(typeof content === 'object' && { content: shownContent(content.type, sentRecordContent(content)) }),
    ...(quotedMessageId !== undefined && { quotedMessageId }),
    timestamp: handedOverAt,
    ...(requestedTo !== undefined && { requestedTo }),
  };
}

const unlessChange = ({ type }: MessageFacts, tell: () => readonly Publication[]): readonly Publication[] =>
  isChange(type) ? [] : tell();

function changeOf({ profileId, to, handedOverAt, change }: Sent['data']): readonly Publication[] {
  // Erased, it is a text.
  if (typeof change !== 'object') return [];
  const phone = parseRecipient(to)?.phone;
  return [
    publication(SessionMessageChanged, {
      profileId,
      chat: { jid: to, ...(phone !== undefined && { phone }), ...(to.endsWith('@lid') && { lid: to }) },
      fromMe: true,
      target: change.target,
      at: handedOverAt,
      change: change.type === 'delete' ? { type: 'revoked' } : { type: 'reacted', emoji: change.content.emoji },
      delivery: 'live',
    }),
  ];
}

const commonOf = ({ messageId, to, type, conversationId, origin }: MessageFacts) => ({
  messageId,
  to,
  type: type as MessageContentOf['type'],
  conversationId,
  origin,
});

const statusOf = (facts: MessageFacts, previousStatus: StatusWord, status: StatusWord): Publication =>
  publication(MessageStatusChanged, {
    ...commonOf(facts),
    networkMessageId: facts.networkMessageId,
    status,
    previousStatus,
  });
