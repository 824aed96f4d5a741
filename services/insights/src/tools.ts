import type { ServiceTools } from '@messaging-gateway/service';
import type { InsightsSettings } from './config.ts';

/** What the features of notifications work with. */
export type InsightsTools = ServiceTools<InsightsSettings>;
