import { ask } from '../api/client.ts';
import { Problem } from '../api/problem.ts';

/** The subscription of this browser; undefined: none, or one that cannot have any (plain HTTP). */
export async function subscriptionHere(): Promise<PushSubscription | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager?.getSubscription()) ?? undefined;
}

/** Ends pushes to this browser: what is told to who signs out is not for who comes next. It never fails. */
export async function leaveBrowser(): Promise<void> {
  try {
    const subscription = await subscriptionHere();
    if (subscription === undefined) return;
    await subscription.unsubscribe();
    await ask('UnsubscribeFromPush', { body: { endpoint: subscription.endpoint } });
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof DOMException)) throw error;
  }
}
