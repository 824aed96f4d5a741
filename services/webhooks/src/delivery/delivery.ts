/** A delivery in the hands of this process. */
export interface Delivery {
  readonly webhookId: string;
  /** The webhook's version that must have been seen before it is sent. */
  readonly webhookVersion: number;
  readonly organizationId: string;
  readonly eventId: string;
  /** Null when the event is about none. */
  readonly profileId: string | null;
  readonly occurredAt: Date;
  /** Null when the event is no longer kept. */
  readonly body: string | null;
  readonly sourceSequence: string | null;
  /** W3C trace context of the event, when its trace is recorded. */
  readonly traceparent?: string | null | undefined;
  /** Attempts made so far. */
  readonly attempts: number;
}

export const keyOf = ({ webhookId, eventId }: Pick<Delivery, 'webhookId' | 'eventId'>): string =>
  `${webhookId} ${eventId}`;

const received = /"event":"message\.received"/;
const conversation = /"conversationId":"([0-9a-f-]{36})"/;

/** The chat of which a delivery tells a new message; those of one chat are sent one after the other. */
export function chatOf({ body }: Delivery): string | undefined {
  // Quotes within a text are escaped: it cannot look like a field.
  return body !== null && received.test(body) ? conversation.exec(body)?.[1] : undefined;
}

/** A delivery that an event has led to. */
export interface FannedOut {
  readonly webhookId: string;
  readonly webhookVersion: number;
  readonly organizationId: string;
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly profileId: string | null;
  readonly kind: string;
  readonly body: string;
  readonly sourceSequence: string;
  /** Undefined when its trace is not recorded. */
  readonly traceparent: string | undefined;
  /** In the hands of the dispatcher that was named; otherwise it waits for any. */
  readonly claimed: boolean;
}

/** The dispatcher that takes new deliveries into its hands. */
export interface Claimant {
  readonly dispatcherId: string | undefined;
  /** Webhooks whose hands are full. */
  readonly full: readonly string[];
  /** Handed back with what was claimed. */
  readonly lapses: number;
}
