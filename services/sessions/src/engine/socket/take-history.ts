import type { WASocket } from '@whiskeysockets/baileys';
import type { HistoryRequests } from './history-requests.ts';
import { historyFacts } from './incoming-facts.ts';
import type { Intake } from './intake.ts';
import { keptId } from './message-ids.ts';

interface HistoryParts {
  readonly socket: WASocket;
  readonly intake: Intake;
  readonly requests: HistoryRequests;
}

/** Takes in the past that the phone hands over, and answers whoever asked for it. */
export function takeHistory({ socket, intake, requests }: HistoryParts): void {
  socket.ev.on('messaging-history.set', ({ messages, peerDataRequestSessionId: request }) => {
    // Asked for each portion, as the credentials change while a profile is linked.
    const from = intake.receiver();
    void intake.history(messages.map((message) => () => historyFacts(message, from))).then(() => {
      if (!request) return;
      requests.answered(
        request,
        messages.flatMap(({ key }) => (key.id ? keptId(key.id) : [])),
      );
    });
  });
}
