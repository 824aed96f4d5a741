import type { ProfileConnection } from './profile-connection.ts';

/** A link that cannot be removed on the network in this time is removed here alone. */
const unlinkingMs = 8_000;
const lookMs = 50;

/** Connects a profile to have its link removed on the network. Resolves when it is connected, or takes too long. */
export async function connectedToUnlink(
  connection: Pick<ProfileConnection, 'connect' | 'status' | 'isWanted'>,
): Promise<void> {
  await connection.connect('resumed', 'now');
  const isOnItsWay = (): boolean => connection.isWanted === true && connection.status !== 'connected';
  for (let waited = 0; waited < unlinkingMs && isOnItsWay(); waited += lookMs)
    await new Promise((resolve) => setTimeout(resolve, lookMs));
}
