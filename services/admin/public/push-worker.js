// Shows what the gateway pushes to this browser, also while no page of it is open, and opens what it is about.

self.addEventListener('push', (event) => {
  const { title, body, tag, url } = event.data.json();
  const icon = '/icon.svg';
  // One with the same tag takes the place of the one before: of a chat there is the last message.
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, renotify: true, data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/** A page that is open goes there itself, and so keeps what is being written in it. */
async function open(url) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (page === undefined) return self.clients.openWindow(url);
  page.postMessage({ open: url });
  return page.focus();
}
