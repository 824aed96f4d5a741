import { operation } from '../../contract.ts';
import { Batch, batchExample, batchParams } from './bulk-batch.ts';

export const GetBatch = operation({
  name: 'GetBatch',
  owner: 'outbound',
  method: 'GET',
  path: '/bulk/batch/:batchId',
  access: 'message:read',
  tag: 'Bulk',
  summary: 'Status of a batch',
  means: 'How far it has come, and what became of each message; kept for SEND_HISTORY_RETENTION_DAYS after its end.',
  params: batchParams,
  answers: { 200: { body: Batch, means: 'The batch.', example: batchExample } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
