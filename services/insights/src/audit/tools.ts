import type { ServiceTools } from '@messaging-gateway/service';
import type { InsightsSettings } from '../config.ts';

/** Tools of the audit. */
export type AuditTools = ServiceTools<InsightsSettings>;
