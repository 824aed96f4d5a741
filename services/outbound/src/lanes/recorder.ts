import type { AuditMark, EventMetadata, EventStore, Handled, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { isUnavailable, type Clock } from '@messaging-gateway/runtime';
import { dayOf } from '../gate/day.ts';
import type { PlaceRequest } from '../gate/place-guard.ts';
import { isChange, type MessageEvent } from '../message/message-events.ts';
import type { Message } from '../message/message-state.ts';
import { messageStream } from '../message/message-stream.ts';
import type { MessageCommand } from '../message/message.ts';

export interface Occasion {
  readonly messageId: string;
  readonly organizationId: string;
  readonly profileId: string;
  readonly requestId?: string;
  readonly traceparent?: string;
  readonly actor?: string;
  /** The request that asked for it. */
  readonly audit?: AuditMark;
  /** Id of the event that caused it. */
  readonly cause?: string;
  /** How long the record may wait for others to go with, milliseconds: nobody waits for it. */
  readonly patienceMs?: number;
  /** When it happened, where that was told already. */
  readonly at?: Date;
}

export type Recorded = Handled<Message, MessageEvent> & { readonly appended: readonly RecordedEvent[] };

/** Tells what was recorded, before the call that recorded it returns. */
export type OnRecorded = (recorded: Recorded, occasion: Occasion) => void;

export interface Recorder {
  /** One command on a message. @throws what the decider throws; Unavailable */
  record(occasion: Occasion, command: MessageCommand): Promise<Recorded>;
  /**
   * The same, again until the database is back: what the network said must not be forgotten. Rejects only when stopped,
   * or when it may not be said any more.
   *
   * @param still asked before each try
   */
  recordSurely(
    occasion: Occasion,
    command: MessageCommand,
    signal: AbortSignal,
    still: () => boolean,
  ): Promise<Recorded>;
}

const longestPause = 2000;

/** Writes what happens to messages; each change of a lane passes the guard, which locks lanes in one order. */
export function recorder(store: EventStore, clock: Clock, onRecorded: OnRecorded): Recorder {
  const record: Recorder['record'] = async (occasion, command) => {
    const appended: RecordedEvent[] = [];
    const handled = await store.handle(messageStream, occasion.messageId, command, {
      metadata: metadataOf(occasion),
      onAppended: (events) => void appended.push(...events),
      ...(changesLane(command) && { guard: { name: 'place', request: requestOf(occasion, command, clock) } }),
      ...(occasion.patienceMs !== undefined && { patienceMs: occasion.patienceMs }),
      ...(occasion.at !== undefined && { at: occasion.at }),
    });
    const recorded = { ...handled, appended };
    onRecorded(recorded, occasion);
    return recorded;
  };

  const recordSurely: Recorder['recordSurely'] = async (occasion, command, signal, still) => {
    for (let pause = 50; ; pause = Math.min(pause * 2, longestPause)) {
      if (!still()) throw new Error('The lane is owned by another process.');
      try {
        return await record(occasion, command);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
      await clock.sleep(pause, signal);
    }
  };

  return { record, recordSurely };
}

const changesLane = (command: MessageCommand): boolean => command.type !== 'RecordReceipt' || command.confirms;

const requestOf = ({ profileId }: Occasion, command: MessageCommand, clock: Clock): PlaceRequest => ({
  profileId,
  places: command.type === 'AcceptMessage' && !isChange(command.facts.type) ? 1 : 0,
  day: dayOf(clock.now()),
});

function metadataOf(occasion: Occasion): EventMetadata {
  const { messageId: _, patienceMs: __, at: ___, ...metadata } = occasion;
  return { ...metadata, subject: `organization:${occasion.organizationId}` };
}
