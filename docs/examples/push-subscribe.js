// A page's part: registers the service worker, and lets the gateway push to this browser. Call both from a click: browsers ask the person.

/**
 * @param {string} base of the API, such as https://gateway.example.com/api/v1
 * @param {Record<string, string>} headers with the credential of the person, such as { authorization: 'Bearer …' }
 */
export async function startPushes(base, headers) {
  const registration = await navigator.serviceWorker.register('/push-service-worker.js');
  const { publicKey } = await ask(base, headers, 'GET', 'vapid-key');
  const before = await registration.pushManager.getSubscription();
  // After a change of the gateway's keys the old one is of no use.
  if (before !== null && keyOf(before) !== publicKey) await before.unsubscribe();
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  await ask(base, headers, 'POST', 'subscribe', subscription.toJSON());
}

export async function endPushes(base, headers) {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return;
  await ask(base, headers, 'POST', 'unsubscribe', { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

function keyOf(subscription) {
  const bytes = new Uint8Array(subscription.options.applicationServerKey);
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function ask(base, headers, method, route, body) {
  const answer = await fetch(`${base}/notifications/push/${route}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${route} answered ${answer.status}`);
  return answer.status === 204 ? undefined : answer.json();
}
