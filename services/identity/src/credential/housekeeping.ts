import { every, type Job, type ServiceTools } from '@messaging-gateway/service';

/** Sessions that are over stay visible to the operator's queries for so long. */
const kept = 30 * 86_400_000;

/** Once a day: forgets sessions that have long been over, and when sessions and keys that are gone were last used. */
export const housekeeping = ({ sql, clock }: Pick<ServiceTools<unknown>, 'sql' | 'clock'>): Job =>
  every(
    '1d',
    'old sessions',
    async () => {
      const before = new Date(clock.now() - kept);
      await sql.query('DELETE FROM identity.user_sessions WHERE least(ended_at, expires_at) < $1', [before]);
      await sql.query(
        `DELETE FROM identity.credential_uses used
          WHERE used.used_at < $1
            AND NOT EXISTS (SELECT FROM identity.user_sessions held WHERE held.id = used.id)
            AND NOT EXISTS (SELECT FROM identity.api_keys held WHERE held.id = used.id AND held.revoked_at IS NULL)`,
        [before],
      );
    },
    { first: '1d' },
  );
