import { operation } from '../../contract.ts';
import { Batch, batchExample, batchParams } from './bulk-batch.ts';

export const CancelBatch = operation({
  name: 'CancelBatch',
  owner: 'outbound',
  method: 'POST',
  path: '/bulk/batch/:batchId/cancel',
  access: 'message:send',
  tag: 'Bulk',
  summary: 'Cancel a batch',
  means: 'Nothing more of it is sent, but for a message that is on its way already. 409 once the batch has ended.',
  params: batchParams,
  answers: {
    200: {
      body: Batch,
      means: 'The batch, cancelled.',
      example: {
        ...batchExample,
        status: 'cancelled',
        progress: { total: 2, sent: 1, failed: 0, pending: 0, cancelled: 1 },
        completedAt: '2026-01-01T10:00:04.000Z',
        results: batchExample.results.map((result) =>
          result.status === 'pending' ? { ...result, status: 'cancelled' } : result,
        ),
      },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});
