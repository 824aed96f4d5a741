import type { AnswerOf, Caller, OutgoingContentOf, SendThroughLane } from '@messaging-gateway/contracts';
import type { RequestContext } from '@messaging-gateway/service';
import type { Origin, SendMode, Terms } from '../message/message.ts';

/** A message that somebody wants to send, whatever its type. */
export interface Draft {
  readonly profileId: string;
  /** JID of the chat. */
  readonly to: string;
  readonly content: OutgoingContentOf;
  readonly quotedMessageId?: string;
  readonly origin: Origin;
  /** Whatever the installation's is: one-time codes are not queued. */
  readonly mode?: SendMode;
  /** Of a queued message: how it is tried, where that is not as usual. */
  readonly terms?: Terms;
  /** The template that it was made from. */
  readonly templateId?: string;
  /** A one-time code. */
  readonly isCode?: true;
}

/** The caller of a send, and the profile that is to send. */
export interface Asked {
  readonly profileId: string;
  readonly caller: Caller;
  readonly context: RequestContext;
  /** Whatever the installation's is. */
  readonly mode?: SendMode;
  /** The template that it is made from. */
  readonly templateId?: string;
  /** A one-time code. */
  readonly isCode?: true;
}

/** A draft on its way to its lane. */
export interface SendOrder {
  readonly draft: Draft;
  readonly organizationId: string;
  /** `user:…` or `api_key:…` */
  readonly actor: string;
  /** Minted by the gateway. */
  readonly messageId: string;
  /** The id may stand for a message already. */
  readonly repeated: boolean;
}

/** The answer to a client: `sent` with 200, `queued` with 202. */
export type SendAnswer = AnswerOf<typeof SendThroughLane>;
