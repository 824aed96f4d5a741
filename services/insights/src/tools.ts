import type { ServiceTools } from '@messaging-gateway/service';
import type { AuditIntake } from './audit/intake.ts';
import type { InsightsSettings } from './config.ts';

/** What the handlers of insights work with. */
export interface InsightsTools extends ServiceTools<InsightsSettings> {
  readonly audit: AuditIntake;
}
