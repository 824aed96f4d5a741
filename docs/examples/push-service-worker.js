// Service worker: shows what the gateway pushes, also while no page is open, and opens the page that it is about.
// Served from your own site, at its root, as /push-service-worker.js. A payload is { id, type, title, body, tag, url }.

self.addEventListener('push', (event) => {
  const { title, body, tag, url } = event.data.json();
  // One with the same tag takes the place of the one before: of a chat there is the last message.
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

async function open(url) {
  const pages = await self.clients.matchAll({ type: 'window' });
  const [page] = pages;
  if (page === undefined) return self.clients.openWindow(url);
  await page.focus();
  return page.navigate(url);
}
