import {
  AuditRecorded,
  EraseInsightsData,
  GetAuditSummary,
  ListAuditActions,
  ListAuditLogs,
  ReadInsightsData,
  RecordAction,
  auditActions,
  operations,
} from '@messaging-gateway/contracts';
import { gatheringReaction, internalOperation, operation, type ServiceDefinition } from '@messaging-gateway/service';
import { listAuditLogs } from './audit/listing.ts';
import { eraseAuditData, readAuditData } from './audit/personal-data.ts';
import { auditRetention } from './audit/retention.ts';
import { auditSummary } from './audit/summary.ts';
import type { InsightsTools } from './tools.ts';

/** Everything that insights does. */
export const insightsService = (tools: InsightsTools): ServiceDefinition => ({
  name: 'insights',
  rows: [
    operation(ListAuditLogs, (input) => listAuditLogs(tools, input)),
    operation(GetAuditSummary, (input) => auditSummary(tools, input)),
    operation(ListAuditActions, async () => ({ items: [...auditActions(operations)] })),
    internalOperation(EraseInsightsData, (asked) => eraseAuditData(tools, asked)),
    internalOperation(ReadInsightsData, (asked) => readAuditData(tools, asked)),
    internalOperation(RecordAction, async ({ organizationId, requestId, entry }) => {
      await tools.audit.take({ organizationId, requestId, data: entry });
      return {};
    }),
    gatheringReaction(AuditRecorded, (_, event) => tools.audit.take(event)),
  ],
  publish: () => [],
  running: [],
  jobs: [auditRetention(tools)],
});
