import type { OperationName, RequestOf } from '../../api/operations.ts';
import type { Problem } from '../../api/problem.ts';
import type { Content, Message } from '../../messages/shapes.ts';

type SendName = Extract<
  OperationName,
  | 'SendText'
  | 'SendImage'
  | 'SendVideo'
  | 'SendAudio'
  | 'SendDocument'
  | 'SendLocation'
  | 'SendContact'
  | 'SendPoll'
  | 'SendReply'
>;

/** A composed message, and how it stands with it. */
export interface Composed<N extends SendName = SendName> {
  readonly operation: N;
  readonly request: RequestOf<N>;
  /** As it is shown before the gateway says how it keeps it. */
  readonly content: Content;
  readonly quotedMessageId?: string | undefined;
}

export interface Outgoing extends Composed {
  readonly id: string;
  /** Idempotency-Key of the message: the same as long as nobody knows whether it left. */
  readonly key: string;
  /** The chat that it is shown in: a conversation, or one that begins with it. */
  readonly chat: string;
  /** By the server's clock, milliseconds. */
  readonly startedAt: number;
  readonly state: 'sending' | 'failed' | 'accepted';
  readonly problem?: Problem | undefined;
  /** Once the gateway has named it. */
  readonly messageId?: string | undefined;
}

/** A stored message may have been written so much before it was sent, as clocks are off a little. Milliseconds. */
const toleranceMs = 3_000;

/**
 * Messages still to be shown beside the stored ones: nothing twice. One that the gateway has named is found by its id;
 * one of which nobody knows, as its answer was lost, by what it says.
 *
 * @returns what is shown, and the ids of what is stored
 */
export function unstored(
  outgoing: readonly Outgoing[],
  messages: readonly Message[],
): { readonly shown: readonly Outgoing[]; readonly stored: readonly string[] } {
  if (outgoing.length === 0) return { shown: outgoing, stored: [] };
  const byId = new Set(messages.map(({ id }) => id));
  const claimed = new Set(outgoing.flatMap(({ messageId }) => (messageId === undefined ? [] : [messageId])));
  const own = messages.filter(({ direction }) => direction === 'outgoing').toReversed();
  const stored: string[] = [];
  for (const one of outgoing) {
    if (one.messageId !== undefined) {
      if (byId.has(one.messageId)) stored.push(one.id);
      continue;
    }
    const match = own.find(
      (message) =>
        !claimed.has(message.id) &&
        Date.parse(message.createdAt) >= one.startedAt - toleranceMs &&
        says(message.content) === says(one.content),
    );
    if (match === undefined) continue;
    claimed.add(match.id);
    stored.push(one.id);
  }
  return { shown: outgoing.filter(({ id }) => !stored.includes(id)), stored };
}

/** Words of a content, in one text, whatever else the gateway keeps with it. */
function says(content: Content): string {
  switch (content.type) {
    case 'text':
      return `text ${content.text}`;
    case 'image':
    case 'video':
    case 'document':
      return `${content.type} ${content.caption ?? ''} ${pathOf(content.url)}`;
    case 'audio':
      return `audio ${pathOf(content.url)}`;
    case 'location':
      return `location ${content.latitude} ${content.longitude}`;
    case 'contact':
      return `contact ${content.contacts.map(({ name }) => name).join()}`;
    case 'poll':
      return `poll ${content.question}`;
    default:
      return content.type;
  }
}

const pathOf = (url = ''): string => url.replace(/^https?:\/\/[^/]+/, '');
