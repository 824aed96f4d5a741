import { openErasureLog, type LoggedErasure } from '@messaging-gateway/media';
import type { CommandSettings } from './command-settings.ts';

/** Erasures that the log beside the database holds. */
export async function loggedErasures(settings: CommandSettings): Promise<LoggedErasure[]> {
  const log = await openErasureLog(settings);
  try {
    return await log.read();
  } finally {
    await log.close();
  }
}

/** The subjects whose keys these erasures destroyed, in every journal. */
export const erasedSubjects = (erasures: readonly LoggedErasure[]): string[] => [
  ...new Set(
    erasures.flatMap(({ userId, organizationId, wholeOrganization }) =>
      wholeOrganization ? [`user:${userId}`, `organization:${organizationId}`] : [`user:${userId}`],
    ),
  ),
];
