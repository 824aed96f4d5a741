import type {
  ChangeType,
  DataOf,
  MessageContentOf,
  MessageSent as MessageSentContract,
  OutgoingContentOf,
} from '@messaging-gateway/contracts';

export type Origin = DataOf<typeof MessageSentContract>['origin'];
/** A type of message, or the change of one that exists. */
export type MessageType = OutgoingContentOf['type'];
export type SendMode = 'synchronous' | 'durable';
export type ReceiptStatus = 'delivered' | 'read' | 'played';
/** The status as the API says it. */
export type StatusWord = 'queued' | 'sending' | 'unknown' | 'sent' | ReceiptStatus | 'failed';

/** An error code of the contracts, or the reason of a message that expired, and one sentence. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Of a message whose outcome stays unknown, where somebody waits for an end. */
export const neverTold: Failure = {
  code: 'ENGINE_TIMEOUT',
  message: 'The network has never told whether it took the message.',
};

/** A change of a message that exists, as it was handed to the network. */
type ChangeContent = Extract<OutgoingContentOf, { type: ChangeType }>;

/** Facts in every event of a message, so that each can be told on its own. */
export interface MessageFacts {
  readonly messageId: string;
  readonly profileId: string;
  readonly conversationId: string;
  readonly networkMessageId: string;
  /** JID of the chat. */
  readonly to: string;
  readonly type: MessageType;
  readonly origin: Origin;
}

/** How a queued message is tried, where that is not as usual: the messages of other services. */
export interface Terms {
  /** In all, from 1. */
  readonly attempts: number;
  /** Time from which the message is not handed over, ISO 8601. Default: when queued messages expire. */
  readonly expiresAt?: string;
}

/** The place in a day's limit that a message gives up or turns into a sent one. */
export interface Place {
  /** `reserved` moves to the new day at midnight; `uncertain` stays with the day on which the outcome was lost. */
  readonly kind: 'reserved' | 'uncertain';
  readonly day: string;
}

/** Facts by which a lane goes while the message is open. */
interface Turn {
  readonly mode: SendMode;
  readonly acceptedAt: string;
}

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

export type MessageAccepted = Fact<
  'MessageAccepted',
  MessageFacts &
    Turn & {
      readonly content: OutgoingContentOf;
      readonly quotedMessageId?: string;
      readonly terms?: Terms;
      /** The template that it was made from. */
      readonly templateId?: string;
      /** A one-time code. */
      readonly isCode?: true;
      readonly day: string;
    }
>;
/** The network took it. `place.day` is the day in whose limit it counts. */
export type SentData = MessageFacts & {
  readonly previousStatus: StatusWord;
  readonly handedOverAt: string;
  readonly place: Place;
  /** JID that the client named, when the network returned another one for it: `to` is that one. */
  readonly requestedTo?: string;
  /** Made in all, of a message with terms. */
  readonly attempts?: number;
  /** The change of another message, when it was one. */
  readonly change?: ChangeContent;
  /** The content, when it was no change; absent in entries of earlier versions. */
  readonly content?: MessageContentOf;
  readonly quotedMessageId?: string;
};
export type MessageSent = Fact<'MessageSent', SentData>;
/** The message may have left, and nobody knows. */
export type OutcomeLost = Fact<
  'OutcomeLost',
  MessageFacts &
    Turn & {
      readonly previousStatus: StatusWord;
      readonly handedOverAt: string;
      readonly day: string;
    }
>;
/** The network refused it and it will be tried again. */
export type DeliveryAttemptFailed = Fact<
  'DeliveryAttemptFailed',
  Omit<MessageFacts, 'to'> &
    Turn & {
      readonly attempt: number;
      readonly error: Failure;
      readonly day: string;
      readonly handedOverAt?: string;
      readonly nextAttemptAt: string;
    }
>;
type MessageFailed = Fact<
  'MessageFailed',
  MessageFacts & {
    readonly previousStatus: StatusWord;
    readonly error: Failure;
    readonly failedAt: string;
    readonly handedOverAt?: string;
    readonly place: Place;
    /** Made in all, of a message with terms. */
    readonly attempts?: number;
  }
>;
/** The outcome stays unknown for good; only a receipt can still tell it. */
type SettlementAbandoned = Fact<
  'SettlementAbandoned',
  {
    readonly messageId: string;
    readonly profileId: string;
    /** Of a message with terms, as are `attempts`. */
    readonly origin?: Origin;
    readonly attempts?: number;
  }
>;
type ReceiptRecorded = Fact<
  'ReceiptRecorded',
  MessageFacts & {
    readonly previousStatus: StatusWord;
    readonly status: ReceiptStatus;
    readonly at: string;
  }
>;

export type MessageEvent =
  | MessageAccepted
  | MessageSent
  | OutcomeLost
  | DeliveryAttemptFailed
  | MessageFailed
  | SettlementAbandoned
  | ReceiptRecorded;
