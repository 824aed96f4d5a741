import { createHash } from 'node:crypto';
import { namedUuids } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import type { BatchFacts } from './batch.ts';

const uuidOf = namedUuids('2b1a7c52-90f3-5d0e-8c3f-6d4f0c1e7a55');

type Whose = Pick<BatchFacts, 'batchId' | 'createdAt' | 'timedIds'>;

/**
 * Id of one message of a batch: the same whoever sends it and however often it is tried. A UUIDv7 of the batch's time in which the
 * index comes next, so that messages of a batch are in their order; what is left is the batch's own.
 */
export function itemMessageId({ batchId, createdAt, timedIds }: Whose, index: number): string {
  if (timedIds !== true) return timelessItemId(batchId, index);
  const random = createHash('sha256').update(`${batchId} ${index}`).digest().subarray(0, 16);
  return v7({ msecs: Date.parse(createdAt), seq: index, random });
}

/** As a batch of an earlier version has it, and a replica of that version for any batch. */
export const timelessItemId = (batchId: string, index: number): string => uuidOf(`${batchId} ${index}`);
