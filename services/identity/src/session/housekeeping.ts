import { every, everyOrganization, type Job, type ServiceTools } from '@messaging-gateway/service';
import { ApiKeyRow } from '../api-key/api-keys-view.ts';
import { SessionRow } from './sessions-view.ts';
import { CredentialUseRow } from '../credential/last-use.ts';

/** Sessions that are over stay visible to the operator's queries for so long. */
const kept = 30 * 86_400_000;

/** Once a day: forgets sessions that have long been over, and when sessions and keys that are gone were last used. */
export const housekeeping = ({ em: manager, clock }: Pick<ServiceTools<unknown>, 'em' | 'clock'>): Job =>
  every(
    '1d',
    'old sessions',
    async () => {
      const before = new Date(clock.now() - kept);
      const em = manager();
      const isOver = { $or: [{ endedAt: { $lt: before } }, { expiresAt: { $lt: before } }] };
      await em.nativeDelete(SessionRow, isOver, everyOrganization);
      const sessions = em.createQueryBuilder(SessionRow).select('id');
      const keys = em.createQueryBuilder(ApiKeyRow).select('id').where({ revokedAt: null });
      const isGone = { $and: [{ id: { $nin: sessions } }, { id: { $nin: keys } }] };
      await em.nativeDelete(CredentialUseRow, { usedAt: { $lt: before }, ...isGone });
    },
    { first: '1d' },
  );
