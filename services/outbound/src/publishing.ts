import {
  DailyLimitReached,
  MessageAccepted,
  MessageFailed,
  MessageQueued,
  MessageSent,
  MessageStatusChanged,
  SessionMessageChanged,
  parseRecipient,
  type MessageContentOf,
} from '@messaging-gateway/contracts';
import { publication, type Publication, type Publish } from '@messaging-gateway/service';
import type { BatchEvent } from './bulk/batch-events.ts';
import { batchPublications } from './bulk/publishing.ts';
import type { PolicyEvent } from './gate/sending-policy.ts';
import { isChange, type MessageEvent, type MessageFacts, type StatusWord } from './message/message-events.ts';
import { schedulePublications } from './schedule/publishing.ts';
import type { ScheduleEvent } from './schedule/schedule-events.ts';

const isOfSchedule = (event: { readonly type: string }): event is ScheduleEvent =>
  event.type === 'MessageScheduled' || event.type.startsWith('ScheduledMessage');

/** What the journal's entries tell the outside. */
export const publish: Publish = (entry) => {
  const event = entry as unknown as MessageEvent | PolicyEvent | BatchEvent | ScheduleEvent;
  if (event.type === 'BatchEnded' || event.type === 'BatchAccepted' || event.type === 'BatchMessageReleased')
    return batchPublications(event);
  if (isOfSchedule(event)) return schedulePublications(event);
  return 'type' in event.data && isChange(event.data.type) ? changesOf(event) : publicationsOf(event);
};

/** A reaction or a deletion is told as what it did to the other message, once the network took it. */
function changesOf({ type, data }: MessageEvent | PolicyEvent): readonly Publication[] {
  // Erased, it is a text.
  if (type !== 'MessageSent' || typeof data.change !== 'object') return [];
  const { profileId, to, handedOverAt, change } = data;
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

function publicationsOf({ type, data }: MessageEvent | PolicyEvent): readonly Publication[] {
  switch (type) {
    case 'MessageAccepted': {
      const { day: _, content, ...accepted } = data;
      const told = publication(MessageAccepted, {
        ...accepted,
        ...commonOf(data),
        content: content as MessageContentOf,
      });
      return data.mode === 'durable' ? [told, publication(MessageQueued, commonOf(data))] : [told];
    }
    case 'MessageSent':
      return [
        publication(MessageSent, { ...commonOf(data), networkMessageId: data.networkMessageId }),
        statusOf(data, data.previousStatus, 'sent'),
      ];
    case 'OutcomeLost':
      return [statusOf(data, data.previousStatus, 'unknown')];
    case 'MessageFailed':
      return [
        publication(MessageFailed, { ...commonOf(data), networkMessageId: data.networkMessageId, error: data.error }),
        statusOf(data, data.previousStatus, 'failed'),
      ];
    case 'ReceiptRecorded':
      return [statusOf(data, data.previousStatus, data.status)];
    case 'DailyLimitReached': {
      const { profileId: id, limit, count, resetAt } = data;
      return [publication(DailyLimitReached, { id, limit, count, resetAt })];
    }
    case 'DeliveryAttemptFailed':
    case 'SettlementAbandoned':
    case 'SendingPolicyApplied':
    case 'LaneClosed':
      return [];
    default:
      return [];
  }
}

const commonOf = ({ messageId, to, type, conversationId, origin }: MessageFacts) => ({
  messageId,
  to,
  type: type as MessageContentOf['type'],
  conversationId,
  origin,
});

const statusOf = (
  { messageId, networkMessageId, to }: MessageFacts,
  previousStatus: StatusWord,
  status: StatusWord,
): Publication => publication(MessageStatusChanged, { messageId, networkMessageId, status, previousStatus, to });
