import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UpdateSmtpSettings } from '@messaging-gateway/contracts';
import { SMTPServer } from 'smtp-server';
import { IdentityFixture } from '../identity.fixture.ts';

let fixture: IdentityFixture;
let mailServer: SMTPServer;
const mails: { readonly to: readonly string[]; readonly text: string }[] = [];
let isFull = false;

beforeAll(async () => {
  mailServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, { envelope }, done) => {
      let text = '';
      stream.on('data', (piece) => (text += String(piece)));
      stream.on('end', () => {
        if (!isFull) mails.push({ to: envelope.rcptTo.map(({ address }) => address), text });
        done(isFull ? new Error('No room.') : null);
      });
    },
  });
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');
  fixture = await IdentityFixture.start();
});
afterAll(async () => {
  await fixture.service.stop();
  await new Promise<void>((resolve) => mailServer.close(resolve));
});

describe('an invitation', () => {
  it('is mailed by the mail server of the organization, and made without one or when it fails too', async () => {
    const caller = await fixture.newCaller();
    await fixture.invite(caller);
    expect(mails).toEqual([]);
    const { port } = mailServer.server.address() as AddressInfo;
    const body = { host: '127.0.0.1', port, from: 'us@example.com' };
    await fixture.service.call(UpdateSmtpSettings, { caller, body });
    const invited = await fixture.invite(caller);
    expect(mails.map(({ to }) => to)).toEqual([[invited.email]]);
    expect(mails[0]?.text.replaceAll(/=\r\n/g, '')).toContain(invited.temporaryPassword);
    isFull = true;
    const another = await fixture.invite(caller);
    await expect(fixture.logIn(another.email, another.temporaryPassword)).resolves.toBeDefined();
    expect(mails).toHaveLength(1);
  });
});
