import {
  DailyLimitReached,
  MessageAccepted,
  MessageFailed,
  MessageQueued,
  MessageSent,
  MessageStatusChanged,
} from '@messaging-gateway/contracts';
import { publication, type Publication, type Publish } from '@messaging-gateway/service';
import type { LaneEvent } from './lane-policy/lane.ts';
import type { MessageEvent, MessageFacts, StatusWord } from './message/message-events.ts';

/** What the journal's entries tell the outside. */
export const publish: Publish = (entry) => publicationsOf(entry as unknown as MessageEvent | LaneEvent);

function publicationsOf({ type, data }: MessageEvent | LaneEvent): readonly Publication[] {
  switch (type) {
    case 'MessageAccepted': {
      const { day: _, profileId, ...accepted } = data;
      const told = publication(MessageAccepted, { profileId, ...accepted });
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
  type,
  conversationId,
  origin,
});

const statusOf = (
  { messageId, networkMessageId, to }: MessageFacts,
  previousStatus: StatusWord,
  status: StatusWord,
): Publication => publication(MessageStatusChanged, { messageId, networkMessageId, status, previousStatus, to });
