import type { MediaSources } from '@messaging-gateway/media';
import type { ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import type { Engines } from '../engine/engines.ts';
import type { Slots } from '../engine/slots.ts';
import type { SessionDataStore } from '../session-data/session-data-store.ts';
import type { SessionsMetrics } from '../metrics.ts';
import type { QrCodes } from './qr-codes.ts';

/** What holding profiles needs. */
export interface HolderTools {
  readonly tools: ServiceTools<SessionsSettings>;
  readonly engines: Engines;
  readonly sessions: SessionDataStore;
  readonly qrCodes: QrCodes;
  readonly metrics: SessionsMetrics;
  readonly sources: MediaSources;
  /** Downloads of media, of all profiles together. */
  readonly downloads: Slots;
}
