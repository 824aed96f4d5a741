import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UpdateSmtpSettings } from '@messaging-gateway/contracts';
import { testMailServer, type TestMailServer } from '@messaging-gateway/mail/testing';
import { IdentityFixture } from '../identity.fixture.ts';

let fixture: IdentityFixture;
let mailServer: TestMailServer;

beforeAll(async () => {
  mailServer = await testMailServer();
  fixture = await IdentityFixture.start();
});
afterAll(async () => {
  await fixture.service.stop();
  await mailServer.stop();
});

describe('an invitation', () => {
  it('is mailed by the mail server of the organization, and made without one or when it fails too', async () => {
    const caller = await fixture.newCaller();
    await fixture.invite(caller);
    const { mails, port } = mailServer;
    expect(mails).toEqual([]);
    const body = { host: '127.0.0.1', port, from: 'us@example.com' };
    await fixture.service.call(UpdateSmtpSettings, { caller, body });
    const invited = await fixture.invite(caller);
    expect(mails.map(({ to }) => to)).toEqual([[invited.email]]);
    expect(mails[0]?.text).toContain(invited.temporaryPassword);
    mailServer.isFull = true;
    const another = await fixture.invite(caller);
    await expect(fixture.logIn(another.email, another.temporaryPassword)).resolves.toBeDefined();
    expect(mails).toHaveLength(1);
  });
});
