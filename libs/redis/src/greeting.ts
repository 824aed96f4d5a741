import { randomUUID } from 'node:crypto';
import type { Logger } from '@messaging-gateway/runtime';

/** Sends a command to Redis and answers its reply. */
export type Send = (command: readonly string[]) => Promise<unknown>;

/** Policies under which a value with a long time to live outlasts those with a short one. */
const keptInOrder = new Set(['noeviction', 'volatile-ttl']);

/**
 * Learns which life the server is in: its run id, another one after each start. A server that does not tell
 * (the user may not `INFO`) counts as another one for each connection, which costs shared entries, not safety.
 */
export async function greet(send: Send, log: Logger): Promise<string> {
  const info = await send(['INFO']).catch((error: unknown) => {
    if (!(error as Error).message.startsWith('NOPERM')) throw error;
    log.warn('Redis does not tell its run id: allow INFO, so that replicas share what they have learnt');
    return '';
  });
  const fields = fieldsOf(String(info));
  const policy = fields.get('maxmemory_policy');
  if (policy !== undefined && !keptInOrder.has(policy)) {
    log.warn('Redis may drop marks of revoked credentials before the entries that they overrule', { policy });
  }
  return fields.get('run_id') ?? randomUUID();
}

const fieldsOf = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );
