import { type BaileysEventMap, proto, type WASocket } from '@whiskeysockets/baileys';
import { Refused } from '@messaging-gateway/messaging';
import type { HandedOver, OlderMessages } from '../../engine.ts';
import { historyFacts, historyTimer } from './incoming-facts.ts';
import type { Inbound } from './inbound.ts';
import { keptId } from '../wire-format/message-names.ts';
import { toNetwork } from '../wire-format/addresses.ts';
import type { SignalState } from '../signal/signal-state.ts';

interface HistoryParts {
  readonly socket: WASocket;
  readonly inbound: Inbound;
  readonly requests: HistoryRequests;
}

const { COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY, COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY } =
  proto.Conversation.EndOfHistoryTransferType;

/** Takes in the past that the phone hands over, and answers whoever asked for it. */
export function takeHistory({ socket, inbound, requests }: HistoryParts): void {
  onHistory(socket, (part) => {
    const { chats, messages, peerDataRequestSessionId: request } = part;
    // Asked for each portion, as the credentials change while a profile is linked.
    const from = inbound.receiver();
    const reads = [
      ...chats.map((chat) => () => historyTimer(chat, from, Math.floor(Date.now() / 1000))),
      ...messages.map((message) => () => historyFacts(message, from)),
    ];
    void inbound.history(reads).then(() => {
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

type HistoryPart = BaileysEventMap['messaging-history.set'];

/**
 * Hears of each part of the history as it comes. The library holds its event back, makes one of several, which has the
 * last one's request only, and leaves out chats and messages that were in a part before.
 */
function onHistory({ ev }: WASocket, take: (part: HistoryPart) => void): void {
  const emit = ev.emit.bind(ev);
  ev.emit = (event, data) => {
    if (event === 'messaging-history.set') take(data as HistoryPart);
    return emit(event, data);
  };
}

interface Parts {
  readonly socket: WASocket;
  readonly state: SignalState;
  readonly requests: HistoryRequests;
}

/**
 * Asks the phone, unless it has said before that nothing is older than that message: then it need not be there, nor
 * answer again.
 */
export async function olderMessages(
  { socket, state, requests }: Parts,
  { chat, oldest, count, waitMs }: OlderMessages,
): Promise<HandedOver> {
  const { networkMessageId: id, fromMe, sentAt } = oldest;
  const { [chat]: first } = await state.get<string>('first-messages', [chat]);
  if (first === id) return { networkMessageIds: [], hasMore: false };
  const key = { remoteJid: toNetwork(chat), id, fromMe };
  const answer = await requests.ask(() => socket.fetchMessageHistory(count, key, Date.parse(sentAt)), waitMs);
  if (answer.hasMore === false) {
    const begin = answer.networkMessageIds.at(-1) ?? id;
    await state.commit(state.changes({ 'first-messages': { [chat]: begin } }));
  }
  return answer;
}

/** Answers that came before it was known what they answer, at most. */
const mostEarly = 20;

/** Requests to the phone for older messages, until it hands them over. */
export class HistoryRequests {
  readonly #open = new Map<string, (answer: HandedOver) => void>();
  readonly #early = new Map<string, HandedOver>();

  /**
   * @param send sends the request; gives its id
   * @throws Refused ENGINE_TIMEOUT when the phone does not answer in time
   */
  async ask(send: () => Promise<string>, waitMs: number): Promise<HandedOver> {
    const id = await send();
    const early = this.#early.get(id);
    if (early !== undefined) return early;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#open.delete(id);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Refused('ENGINE_TIMEOUT', 'The phone does not hand over older messages now.'));
      }, waitMs);
      this.#open.set(id, (answer) => {
        end();
        resolve(answer);
      });
    });
  }

  /** The phone has handed over messages, and they are kept. */
  answered(id: string, answer: HandedOver): void {
    const waiting = this.#open.get(id);
    if (waiting !== undefined) return waiting(answer);
    if (this.#early.size >= mostEarly) this.#early.clear();
    this.#early.set(id, answer);
  }
}
