import { proto, type WASocket } from '@whiskeysockets/baileys';
import type { HandedOver } from '../engine.ts';
import { onHistory, type HistoryPart } from './history-parts.ts';
import type { HistoryRequests } from './history-requests.ts';
import { historyFacts } from './incoming-facts.ts';
import type { Intake } from './intake.ts';
import { keptId } from './message-ids.ts';

interface HistoryParts {
  readonly socket: WASocket;
  readonly intake: Intake;
  readonly requests: HistoryRequests;
}

const { COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY, COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY } =
  proto.Conversation.EndOfHistoryTransferType;

/** Takes in the past that the phone hands over, and answers whoever asked for it. */
export function takeHistory({ socket, intake, requests }: HistoryParts): void {
  onHistory(socket, (part) => {
    const { messages, peerDataRequestSessionId: request } = part;
    // Asked for each portion, as the credentials change while a profile is linked.
    const from = intake.receiver();
    void intake.history(messages.map((message) => () => historyFacts(message, from))).then(() => {
      if (request) requests.answered(request, answerOf(part));
    });
  });
}

/** A request is about one chat, whose messages come newest first. */
function answerOf({ chats: [chat], messages }: HistoryPart): HandedOver {
  const networkMessageIds = messages.flatMap(({ key }) => (key.id ? keptId(key.id) : []));
  switch (chat?.endOfHistoryTransferType) {
    case COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY:
      return { networkMessageIds, hasMore: false };
    case COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY:
      return { networkMessageIds, hasMore: true };
    default:
      return { networkMessageIds };
  }
}
