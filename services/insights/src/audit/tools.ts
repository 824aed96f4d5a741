import type { ServiceTools } from '@messaging-gateway/service';
import type { InsightsSettings } from '../config.ts';

/** What the audit works with. */
export type AuditTools = ServiceTools<InsightsSettings>;
