import type { IdentityTools } from '../tools.ts';
import { erasureStream, type ErasureOf } from './erasure.ts';

/** Asks for the erasure of a user who has gone. Its runner finds it within seconds. Doing it again changes nothing. */
export async function requestErasure(tools: Pick<IdentityTools, 'store'>, of: ErasureOf): Promise<void> {
  const metadata = { organizationId: of.organizationId, subject: `user:${of.userId}`, actor: 'service:identity' };
  await tools.store.handle(erasureStream, of.userId, { type: 'Request', ...of }, { metadata });
}
