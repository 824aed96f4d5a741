import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed, page, pageQuery } from '../../shapes.ts';
import { BatchStatus, BatchSummary } from './bulk-batch.ts';

export const ListBatches = operation({
  name: 'ListBatches',
  compressed: true,
  owner: 'outbound',
  method: 'GET',
  path: '/bulk/batches',
  access: 'message:read',
  tag: 'Bulk',
  summary: 'List batches',
  means:
    'Batches of the organization, the newest first. One that has ended is kept for SEND_HISTORY_RETENTION_DAYS after that.',
  query: closed({ ...pageQuery, profileId: Type.Optional(Id), status: Type.Optional(BatchStatus) }),
  answers: { 200: { body: page(BatchSummary), means: 'A page of batches.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});
