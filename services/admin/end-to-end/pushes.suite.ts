import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import { axeFaults, newPerson, visit, type Person, type Visit } from './visitor.ts';
import type { AdminWorld } from './world.ts';

/**
 * Takes the place of the browser's own subscribing, which needs the servers of its maker: the subscription leads to the
 * push service of the tests. All else, worker, policy, notifications, is the browser's.
 */
const subscribing = (subscription: object): string => `
  const kept = () => localStorage.getItem('subscribed');
  const made = () => ({
    ...${JSON.stringify(subscription)},
    options: { applicationServerKey: Uint8Array.from(atob(kept().replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer },
    toJSON: () => (${JSON.stringify(subscription)}),
    unsubscribe: async () => (localStorage.removeItem('subscribed'), true),
  });
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (Notification.permission !== 'granted') throw new DOMException('no', 'NotAllowedError');
    if (userVisibleOnly !== true) throw new TypeError('must be visible');
    localStorage.setItem('subscribed', applicationServerKey);
    return made();
  };
  PushManager.prototype.getSubscription = async () => (kept() === null ? null : made());
`;

/** Notifications of a browser: turned on, tried, shown, opened, turned off. */
export function pushes(at: () => AdminWorld): void {
  describe('Web Push', () => {
    let world: AdminWorld;
    let ada: Person;
    let shown: Visit;
    beforeAll(async () => {
      world = at();
      ada = await newPerson(world);
      shown = await visit(world, '/account', { person: ada });
      await shown.page.addInitScript(subscribing(world.pushService.subscribe()));
      await shown.page.reload();
    });
    afterAll(() => shown?.close());

    const card = () => shown.page.getByRole('region', { name: 'Web Push', exact: true });
    const button = (name: string) => card().getByRole('button', { name, exact: true });
    const devices = () => card().getByRole('table', { name: 'Devices', exact: true });
    const said = (text: string) => shown.page.getByRole('status').filter({ hasText: text }).first().waitFor();

    it('says what to do where the browser does not allow it, and is turned on where it does', async () => {
      const { page } = shown;
      await card().getByText('No browser is pushed to.', { exact: true }).waitFor();
      await button('Turn on in this browser').click();
      await card()
        .getByRole('alert')
        .getByText(/did not allow it/)
        .waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.context().grantPermissions(['notifications']);
      await button('Turn on in this browser').click();
      await said('This browser is pushed to.');
      await devices().getByRole('row').filter({ hasText: 'This browser' }).waitFor();
      await button('Turn off in this browser').waitFor();
      expect(await page.evaluate('navigator.serviceWorker.getRegistration("/").then(({ scope }) => scope)')).toBe(
        `${world.gateway.host}/`,
      );
      expect(await axeFaults(page)).toEqual([]);
    });

    it('sends a test, which the browser is pushed', async () => {
      const before = world.pushService.pushed.length;
      await button('Send a test').click();
      await said('1 taken, 0 not taken');
      expect(world.pushService.pushed.slice(before)).toMatchObject([{ payload: { title: 'Test', url: '/account' } }]);
    });

    it('shows what is pushed, and opens what it is about in the page that is open', async () => {
      const { page } = shown;
      const devtools = await page.context().newCDPSession(page);
      let registrationId: string | undefined;
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        registrationId = registrations.findLast(({ isDeleted }) => !isDeleted)?.registrationId ?? registrationId;
      });
      await devtools.send('ServiceWorker.enable');
      const data = JSON.stringify({
        id: '1',
        type: 'message',
        title: 'Ben',
        body: '<b>Hi</b>',
        tag: 'chat',
        url: '/messages',
      });
      const notifications =
        'navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => [n.title, n.body, n.tag]))';
      // As often as it takes: the browser forgets one that comes before its worker is there, and shows one of a tag.
      await eventually(async () => {
        if (registrationId === undefined) return undefined;
        await devtools.send('ServiceWorker.deliverPushMessage', { origin: world.gateway.host, registrationId, data });
        return (await page.evaluate<unknown[]>(notifications)).length === 1 ? true : undefined;
      });
      expect(await page.evaluate(notifications)).toEqual([['Ben', '<b>Hi</b>', 'chat']]);
      const [worker] = page.context().serviceWorkers();
      await worker?.evaluate(
        "self.registration.getNotifications().then(([notification]) => void self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))",
      );
      await page.getByRole('heading', { level: 1, name: 'Messages', exact: true }).waitFor();
      expect(await page.evaluate(notifications)).toEqual([]);
    });

    it('is served under a policy of its own, which lets nothing else in', async () => {
      const answer = await fetch(`${world.gateway.host}/push-worker.js`);
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'text/javascript; charset=utf-8',
        'no-cache',
      ]);
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    });

    it('is removed from a device, and ends with signing out', async () => {
      const { page } = shown;
      const subscriptions = async () =>
        (await ada.tenant.call<{ total: number }>('GET', '/notifications/push/subscriptions')).body.total;
      await page.goto('/account');
      await devices().getByRole('button', { name: 'Remove', exact: true }).click();
      await button('Turn on in this browser').waitFor();
      expect([await subscriptions(), await page.evaluate('localStorage.getItem("subscribed")')]).toEqual([0, null]);
      await button('Turn on in this browser').click();
      await button('Turn off in this browser').waitFor();
      expect(await subscriptions()).toBe(1);
      await page.getByRole('button', { name: 'Account', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.waitForURL(/\/sign-in/);
      expect([await subscriptions(), await page.evaluate('localStorage.getItem("subscribed")')]).toEqual([0, null]);
      expect(shown.faults).toEqual([]);
    });
  });
}
