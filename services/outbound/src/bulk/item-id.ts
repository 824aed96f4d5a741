import { namedUuids } from '@messaging-gateway/contracts';

const uuidOf = namedUuids('2b1a7c52-90f3-5d0e-8c3f-6d4f0c1e7a55');

/** Id of one message of a batch: the same whoever sends it and however often it is tried. */
export const itemMessageId = (batchId: string, index: number): string => uuidOf(`${batchId} ${index}`);
