import type { MessageContentOf } from '@messaging-gateway/contracts';

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

export interface BatchMessage {
  /** JID of the chat. */
  readonly to: string;
  /** With the variables filled in. */
  readonly content: MessageContentOf;
  readonly quotedMessageId?: string;
}

/** A bulk send as it was asked for. Times in ISO 8601. */
export interface BatchFacts {
  readonly batchId: string;
  readonly profileId: string;
  readonly total: number;
  readonly messages: readonly BatchMessage[];
  /** Milliseconds between two messages, on top of the send gate. */
  readonly delay: number;
  readonly randomizeDelay: boolean;
  readonly stopOnError: boolean;
  readonly createdAt: string;
  /** Ids of its messages tell their time; absent in batches of earlier versions. */
  readonly timedIds?: true;
  /** `user:…` or `api_key:…` */
  readonly actor: string;
}

export type BatchEnd = 'completed' | 'cancelled' | 'failed';

type BatchAccepted = Fact<'BatchAccepted', BatchFacts>;
/** One of its messages is on its way into the lane; what becomes of it is told by the message itself. */
type BatchMessageReleased = Fact<
  'BatchMessageReleased',
  {
    readonly batchId: string;
    readonly index: number;
    /** Milliseconds between its outcome and the next one. */
    readonly pause: number;
  }
>;
type BatchEnded = Fact<
  'BatchEnded',
  {
    readonly batchId: string;
    readonly status: BatchEnd;
    readonly reason?: string;
    /** Messages from this index on were not sent: they are cancelled. */
    readonly from: number;
    readonly total: number;
    readonly sent: number;
    readonly failed: number;
    readonly at: string;
  }
>;

export type BatchEvent = BatchAccepted | BatchMessageReleased | BatchEnded;
