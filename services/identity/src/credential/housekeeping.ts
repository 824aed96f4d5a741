import type { Running, ServiceTools } from '@messaging-gateway/service';

const day = 86_400_000;
/** Sessions that are over stay visible to the operator's queries for so long. */
const kept = 30 * day;

/** Once a day: forgets sessions that have long been over, and when sessions and keys that are gone were last used. */
export function housekeeping({ sql, clock, log }: Pick<ServiceTools<unknown>, 'sql' | 'clock' | 'log'>): Running {
  let cancel = (): void => undefined;
  const tidy = async (): Promise<void> => {
    const before = new Date(clock.now() - kept);
    await sql.query('DELETE FROM identity.user_sessions WHERE least(ended_at, expires_at) < $1', [before]);
    await sql.query(
      `DELETE FROM identity.credential_uses used
        WHERE used.used_at < $1
          AND NOT EXISTS (SELECT FROM identity.user_sessions held WHERE held.id = used.id)
          AND NOT EXISTS (SELECT FROM identity.api_keys held WHERE held.id = used.id AND held.revoked_at IS NULL)`,
      [before],
    );
  };
  const plan = (): void => {
    cancel = clock.at(clock.now() + day, () => {
      plan();
      tidy().catch((error: Error) => log.warn('Old sessions were not forgotten', { reason: error.message }));
    });
  };
  return {
    start: async () => plan(),
    stop: async () => cancel(),
  };
}
