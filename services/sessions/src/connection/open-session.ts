import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Spans } from '@messaging-gateway/tracing';
import type { MediaSources, MediaStore } from '@messaging-gateway/media';
import { Deliveries } from '../delivery/deliveries.ts';
import { ownMedia } from '../delivery/own-media.ts';
import type { Engine, EngineListener, EngineSession } from '../engine/engine.ts';
import type { Slots } from '../engine/slots.ts';
import type { HeldLease } from './held-lease.ts';
import type { SessionData, SessionDataStore } from '../session-data/session-data-store.ts';
import { AttachedMedia } from '../traffic/attached-media.ts';
import { factsKept } from '../traffic/facts-kept.ts';
import { Recorder } from '../traffic/recorder.ts';

/** What exists of a profile while its session data is open. */
export interface OpenSession {
  readonly data: SessionData;
  readonly session: EngineSession;
  readonly recorder: Recorder;
  readonly attached: AttachedMedia;
  readonly deliveries: Deliveries;
}

export interface OpeningParts {
  readonly lease: HeldLease;
  readonly engine: Engine;
  readonly sessions: SessionDataStore;
  readonly store: EventStore;
  readonly media: MediaStore;
  /** Where media of messages that go out come from. */
  readonly sources: MediaSources;
  /** Downloads of all profiles together. */
  readonly downloads: Slots;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onSent: (outcome: string) => void;
  readonly spans: Spans;
}

/**
 * Opens a profile's session data for the holder of the lease, and takes up what the journal has not taken.
 *
 * @param listenerOf hears the engine of exactly this session
 * @throws StaleEpoch, SessionDataUnavailable
 */
export async function openSession(
  { lease, engine, sessions, store, media, sources, downloads, clock, log, onSent, spans }: OpeningParts,
  isConnected: () => boolean,
  listenerOf: (session: () => EngineSession) => EngineListener,
): Promise<OpenSession> {
  const data = await sessions.open(lease.profileId, lease.epoch);
  const { organizationId } = lease;
  const recorder = await Recorder.over({ organizationId, data, store, clock, log });
  const attached = await AttachedMedia.over({
    organizationId,
    data,
    engine,
    media,
    slots: downloads,
    facts: recorder,
    clock,
    log,
  });
  const session: EngineSession = engine.session({
    organizationId,
    data,
    media: ownMedia(organizationId, sources),
    facts: factsKept(recorder, attached),
    listener: listenerOf(() => session),
  });
  const deliveries = new Deliveries({ data, session, clock, isConnected, onSent, spans });
  recorder.start();
  attached.start();
  return { data, session, recorder, attached, deliveries };
}
