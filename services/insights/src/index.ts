import type { ServiceModule } from '@messaging-gateway/service';
import { AuditIntake } from './audit/intake.ts';
import type { InsightsSettings } from './config.ts';
import { auditMigration } from './migrations/0001-audit.ts';
import { insightsService } from './service.ts';

export { insightsSettings } from './config.ts';
export type { InsightsSettings } from './config.ts';

/** What was done: the audit. Its entries are the only record of themselves, so there is no journal behind them. */
export const insights: ServiceModule<InsightsSettings> = {
  name: 'insights',
  storage: { schema: 'insights', streams: [], inlineViews: [], guards: [] },
  migrations: [auditMigration],
  connect: (tools) => insightsService({ ...tools, audit: new AuditIntake(tools.sql) }),
};
