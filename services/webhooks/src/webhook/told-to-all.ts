import { liveOnlyKinds } from '@messaging-gateway/contracts';

const kinds = liveOnlyKinds.map((kind) => `'${kind}'`).join(', ');

/** SQL, behind other conditions: a kind that webhooks and `GET /events` are told, not only `GET /live`. */
export const toldToAll = (column: string): string => `AND ${column} NOT IN (${kinds})`;
