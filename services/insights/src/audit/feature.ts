import {
  AuditRecorded,
  GetAuditSummary,
  ListAuditActions,
  ListAuditLogs,
  RecordAction,
  auditActions,
  operations,
} from '@messaging-gateway/contracts';
import { feature, batchedReaction, internalOperation, operation } from '@messaging-gateway/service';
import { auditMigration } from './0001-audit.migration.ts';
import { AuditEntryEntity } from './entry-entity.ts';
import { AuditIntake } from './intake.ts';
import { listAuditLogs } from './listing.ts';
import { auditSection, eraseAudit } from './personal-data.ts';
import { auditRetention } from './retention.ts';
import { auditSummary } from './summary.ts';
import type { AuditTools } from './tools.ts';

/** The audit: what was done, and by whom. Its entries are the only record of themselves: there is no journal behind them. */
export const audit = feature({
  name: 'audit',
  migrations: [auditMigration],
  entities: [AuditEntryEntity],
  connect: (tools: AuditTools) => {
    const intake = new AuditIntake(tools.sql);
    return {
      rows: [
        operation(ListAuditLogs, (input) => listAuditLogs(tools, input)),
        operation(GetAuditSummary, (input) => auditSummary(tools, input)),
        operation(ListAuditActions, async () => ({ items: [...auditActions(operations)] })),
        internalOperation(RecordAction, async ({ organizationId, requestId, entry }) => {
          await intake.take({ organizationId, requestId, data: entry });
          return {};
        }),
      ],
      hears: [batchedReaction(AuditRecorded, (_, event) => intake.take(event))],
      jobs: [auditRetention(tools)],
      personalData: { first: (whose) => eraseAudit(tools, whose), sections: [auditSection] },
    };
  },
});
