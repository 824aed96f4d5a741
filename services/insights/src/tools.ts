import type { ServiceTools } from '@messaging-gateway/service';
import type { InsightsSettings } from './config.ts';

/** Parts that the features of insights work with. */
export type InsightsTools = ServiceTools<InsightsSettings>;
