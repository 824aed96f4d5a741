import { BulkCompleted } from '@messaging-gateway/contracts';
import { publication, type Publication } from '@messaging-gateway/service';
import type { BatchEvent } from './batch-events.ts';

/** What a batch tells the outside: its end. */
export function batchPublications({ type, data }: BatchEvent): readonly Publication[] {
  if (type !== 'BatchEnded') return [];
  const { batchId: id, total, sent, failed } = data;
  return [publication(BulkCompleted, { id, total, sent, failed })];
}
