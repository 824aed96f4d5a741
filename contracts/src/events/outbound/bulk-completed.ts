import { event } from '../../contract.ts';
import { Count, Id, closed } from '../../shapes.ts';

export const BulkCompleted = event({
  type: 'bulk.completed',
  version: 1,
  owner: 'outbound',
  visibility: 'public',
  means: 'A bulk send has ended: all its messages were processed, it failed, or it was cancelled.',
  data: closed({ id: Id, total: Count, sent: Count, failed: Count }),
  example: { id: '0198c0de-0000-7000-8000-00000000000a', total: 100, sent: 98, failed: 2 },
});
