/** Served at the root, as a service worker sees no more than what lies below it. */
const worker = '/push-worker.js';

interface ScriptUrls {
  createScriptURL(url: string): string;
}
const { trustedTypes } = globalThis as {
  readonly trustedTypes?: { createPolicy(name: string, rules: ScriptUrls): ScriptUrls };
};
let policy: ScriptUrls | undefined;

/** The one script that the policy of the page lets through as a worker; browsers let a policy be made once. */
function workerUrl(): string {
  policy ??= trustedTypes?.createPolicy('service-worker', { createScriptURL: () => worker });
  return policy?.createScriptURL(worker) ?? worker;
}

/** Parts of a browser that are missing on plain HTTP, and in some browsers everywhere. */
export const canBePushedTo = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis;

/**
 * Has the browser subscribe; it asks the person first.
 *
 * @param publicKey of the gateway; a subscription that was made for another one is given up
 * @throws DOMException `NotAllowedError` where the person, or the browser, does not want it
 */
export async function subscribeHere(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.register(workerUrl());
  const before = await pushManager.getSubscription();
  if (before !== null && keyOf(before) !== publicKey) await before.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** What the browser says of a subscription, as the API takes it. */
export function requestOf(subscription: PushSubscription) {
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  return { body: { endpoint: endpoint ?? subscription.endpoint, keys: { p256dh, auth } } };
}
