import { proto } from '@whiskeysockets/baileys';

/** Name of a message's field in the protocol, for example `imageMessage`. */
export type Kind = keyof proto.IMessage;

/** A message without the wrappers around it. */
export interface OpenedMessage {
  /** Undefined when the message has no content at all. */
  readonly kind: Kind | undefined;
  readonly message: proto.IMessage;
  /** Wrappers that were removed, the outermost first. */
  readonly wrappers: readonly Kind[];
  /** Contexts of all levels together; the innermost takes precedence. */
  readonly context: proto.IMessageContextInfo;
}

/** Fields that accompany a content and are none themselves. */
const accompanying: ReadonlySet<string> = new Set<Kind>([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'deviceSentMessage',
]);

/** Kinds that change another message. `changeOf` reads them. */
const changing: ReadonlySet<string> = new Set<Kind>([
  'protocolMessage',
  'reactionMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'secretEncryptedMessage',
  'pollUpdateMessage',
  'keepInChatMessage',
  'pinInChatMessage',
  'scheduledCallEditMessage',
]);

/**
 * Kinds that phones do not show as a message in the chat: signals of the protocol, traffic of status posts, and parts of
 * another message (pictures of a poll's options, the cover of an event). Wrappers among them are not opened.
 */
const unshown: ReadonlySet<string> = new Set<Kind>([
  'albumMessage',
  'bcallMessage',
  'botTaskMessage',
  'call',
  'callLogMesssage',
  'chat',
  'commentMessage',
  'eventCoverImage',
  'groupStatusMentionMessage',
  'limitSharingMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
  'placeholderMessage',
  'pollCreationOptionImageMessage',
  'pollResultSnapshotMessage',
  'pollResultSnapshotMessageV3',
  'questionResponseMessage',
  'statusAddYours',
  'statusMentionMessage',
  'statusNotificationMessage',
  'statusQuestionAnswerMessage',
  'statusQuotedMessage',
  'statusStickerInteractionMessage',
  'stickerSyncRmrMessage',
]);

/** Whether a kind is a message of its own. */
export const isContent = (kind: Kind): boolean => !changing.has(kind) && !unshown.has(kind);

/** Wrappers inside of each other, at most. */
const maxDepth = 10;

/** Removes every wrapper of the protocol, also those that the library does not know how to open. */
export function openMessage(message: proto.IMessage): OpenedMessage {
  const wrappers: Kind[] = [];
  let inner = message;
  let context: proto.IMessageContextInfo = { ...message.messageContextInfo };
  for (;;) {
    const kind = kindIn(inner);
    const wrapped = kind === undefined || unshown.has(kind) ? undefined : wrappedIn(inner[kind]);
    if (kind === undefined || wrapped === undefined || wrappers.length === maxDepth)
      return { kind, message: inner, wrappers, context };
    wrappers.push(kind);
    inner = wrapped;
    context = { ...context, ...inner.messageContextInfo };
  }
}

function kindIn(message: proto.IMessage): Kind | undefined {
  const isPresent = (name: string): name is Kind => {
    const value: unknown = message[name as Kind];
    return value !== undefined && value !== null && value !== '' && typeof value !== 'function';
  };
  return Object.keys(message).find((name): name is Kind => !accompanying.has(name) && isPresent(name));
}

const wrappedIn = (value: unknown): proto.IMessage | undefined =>
  value instanceof proto.Message.FutureProofMessage ? (value.message ?? undefined) : undefined;

/** The name under which a kind is published, for example `groupInvite`. */
export const shortName = (kind: string): string => kind.replace(/Mess+age(V\d)?$/, '');

/** The field that a message has, also when that is no content: for metrics. `empty` if it has none. */
export function fieldOf(message: proto.IMessage): string {
  const { kind, message: inner, wrappers } = openMessage(message);
  const [first = 'empty'] = Object.keys(inner);
  return kind ?? wrappers.at(-1) ?? first;
}
