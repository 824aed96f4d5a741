import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { moveFileClock } from '@messaging-gateway/runtime';
import {
  connected,
  eventually,
  linkProfile,
  register,
  startWebhookReceiver,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

/** Lines of the log that an operator reads at level info. */
export function log(at: () => World): void {
  describe('the log', () => {
    const [contact, phone] = ['4915187654391', '4915112345691'];
    const texts = ['First of all', 'Second of all', 'Third of all', 'Fourth of all'];
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let ahead = 0;
    const moveOn = (): void => moveFileClock(world.clockFile, (ahead += 10_000));
    /** The newest line that fits, once it is there. */
    const line = (fits: RegExp, meanwhile: () => void = () => undefined): Promise<string> =>
      eventually(async () => {
        meanwhile();
        return world.gateway
          .output()
          .split('\n')
          .findLast((one) => fits.test(one));
      });
    beforeAll(async () => {
      world = at();
      ahead = Number(readFileSync(world.clockFile, 'utf8'));
      tenant = await register(world);
      profile = await linkProfile(world, tenant, phone);
    }, 600_000);

    it('tells of a profile that is connected, and what keeps it from the network when it is not', async () => {
      const { profileId } = profile;
      await line(new RegExp(`INFO  A profile is connected .*organizationId=\\S+ profileId=${profileId}`));
      await world.network.configureNetwork({ acceptConnections: false });
      await world.network.drop(phone);
      await line(new RegExp(`A connection ended .*profileId=${profileId} cause=lost reason=HTTP_503`));
      const status = await eventually(async () => {
        const { body } = await tenant.call<{ statusDetail?: string }>('GET', `/profiles/${profileId}/status`);
        return body.statusDetail === 'HTTP_503' ? body : undefined;
      });
      expect(status).toMatchObject({ status: 'reconnecting', statusReason: 'CONNECTION_LOST' });
      await world.network.configureNetwork({ acceptConnections: true });
      await eventually(async () => {
        moveOn();
        const { body } = await tenant.call('GET', `/profiles/${profileId}/status`);
        return body['status'] === 'connected' ? true : undefined;
      });
      await connected(tenant, profileId);
      const { body } = await tenant.call('GET', `/profiles/${profileId}/status`);
      expect(body).not.toHaveProperty('statusDetail');
    }, 600_000);

    it('tells of a message that the network refused', async () => {
      await world.network.configureContact(contact, { refuse: 479 });
      const { profileId } = profile;
      const refused = await tenant.call('POST', '/messages/text', { profileId, to: contact, text: texts[0] });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      await line(new RegExp(`A message was not sent .*profileId=${profileId} messageId=\\S+ code=\\w+$`));
    }, 600_000);

    it('tells of a receiver that goes down, what was given up, and that it answers again', async () => {
      const receiver = await startWebhookReceiver('a secret of the log');
      const url = `${receiver.url}?key=a-secret-of-the-query`;
      const made = await tenant.call<{ id: string }>('POST', '/webhooks', { url, events: ['message.received'] });
      const ofIt = `webhookId=${made.body.id}`;
      receiver.answerWith(503);
      for (const text of texts.slice(0, 3)) await world.network.sendFromContact(contact, { to: phone, text });
      await line(
        new RegExp(`WARN  The receiver of a webhook is down.* organizationId=\\S+ ${ofIt} reason=HTTP_503`),
        moveOn,
      );
      await line(
        new RegExp(`WARN  Events for a webhook were given up .*${ofIt} count=\\d+ eventId=\\S+ reason=HTTP_503`),
        moveOn,
      );
      receiver.answerWith(200);
      await world.network.sendFromContact(contact, { to: phone, text: texts[3] ?? '' });
      await line(new RegExp(`INFO  The receiver of a webhook answers again .*organizationId=\\S+ ${ofIt}`), moveOn);
      receiver.answerWith(410);
      await world.network.sendFromContact(contact, { to: phone, text: texts[3] ?? '' });
      await line(new RegExp(`WARN  Webhook disabled .*${ofIt} .*reason=GONE`), moveOn);
      await receiver.stop();
    }, 600_000);

    it('holds no text, number, name, or secret, and nothing that is not known', () => {
      for (const secret of [...texts, contact, phone, `Profile ${phone}`, 'a-secret-of-the', tenant.token, 'undefined'])
        expect(world.gateway.output()).not.toContain(secret);
    });
  });
}
