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
