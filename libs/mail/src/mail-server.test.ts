import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mailServer, type MailServerAt } from './index.ts';
import { testMailServer, type TestMailServer, type TestMailServerOptions } from './testing/mail-server.ts';

let server: TestMailServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});
const started = async (options?: TestMailServerOptions): Promise<TestMailServer> =>
  (server = await testMailServer(options));
const at = ({ port }: TestMailServer, more: Partial<MailServerAt> = {}) =>
  mailServer({ host: '127.0.0.1', port, secure: false, from: 'us@example.com', ...more }, { timeoutMs: 5000 });
const mail = { to: 'ada@example.com', subject: 'Your code', text: 'Take 4711.' };

const smuggled = `hi
.
MAIL FROM:<ceo@operator.example>
RCPT TO:<v@x.example>
DATA
Subject: spoof

spoofed
.
QUIT`.split('\n');

describe('a mail', () => {
  it.each(['\r\n', '\n', '\r', '\n\r\n', '\r\r\n'])('is one mail, whatever its text says (%j)', async (end) => {
    const taken = await started();
    await at(taken).send({ ...mail, text: smuggled.join(end) });
    expect(taken.mails).toHaveLength(1);
    expect(taken.mails[0]).toMatchObject({ from: 'us@example.com', to: [mail.to] });
    expect(taken.mails[0]?.raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const lines = taken.mails[0]?.text.trimEnd().split(/(?:\r\n)+/);
    expect(lines).toEqual(smuggled.filter((line) => line !== ''));
  });

  it('arrives with the text that was given', async () => {
    const taken = await started();
    const texts = fc.array(fc.constantFrom('.', '..', '.a', 'a', 'ä€😀', ' ', '=', '\r\n', '\n', '\r', 'x'.repeat(90)));
    await fc.assert(
      fc.asyncProperty(texts, async (pieces) => {
        const text = `<${pieces.join('')}>`;
        taken.mails.length = 0;
        await at(taken).send({ ...mail, text });
        expect(taken.mails.map((one) => one.text.trimEnd())).toEqual([text.replaceAll(/\r\n?|\n/g, '\r\n')]);
      }),
      { numRuns: 15 },
    );
  });

  it('with a line break in a header is not sent', async () => {
    const taken = await started();
    const injected = 'x\r\nBcc: v@x.example';
    await expect(at(taken).send({ ...mail, subject: injected })).rejects.toThrow('Control characters');
    await expect(at(taken).send({ ...mail, to: `ada@example.com\nBcc: v@x.example` })).rejects.toThrow('Control');
    await expect(at(taken, { from: injected }).send(mail)).rejects.toThrow('Control characters');
    expect(taken.mails).toEqual([]);
  });
});

describe('a mail server', () => {
  const login = { user: 'mailer@example.com', password: 'the password' };

  it('is given a password by TLS from the first byte, and after STARTTLS', async () => {
    for (const tls of ['implicit', 'starttls'] as const) {
      const taken = await started({ tls, password: login.password });
      const there = at(taken, { ...login, secure: tls === 'implicit' });
      await there.tryOut();
      await there.send(mail);
      expect(taken.mails).toHaveLength(1);
      expect(taken.mails[0]?.raw).toMatch(/From: us@example\.com[^]*To: ada@example\.com[^]*Subject: Your code/);
      await expect(at(taken, { ...login, password: 'wrong', secure: tls === 'implicit' }).tryOut()).rejects.toThrow();
      await taken.stop();
    }
    server = undefined;
  });

  it('is given no password when it offers no TLS, or has a certificate that nobody trusts or that is for another', async () => {
    const open = await started({ tls: 'none', password: login.password });
    await expect(at(open, login).tryOut()).rejects.toThrow();
    await expect(at(open, login).send(mail)).rejects.toThrow();
    expect([open.mails, open.passwords]).toEqual([[], []]);
    await at(open).send(mail);
    expect(open.mails).toHaveLength(1);
    await open.stop();

    const untrusted = await started({ tls: 'untrusted', password: login.password });
    await expect(at(untrusted, login).tryOut()).rejects.toThrow();
    expect(untrusted.passwords).toEqual([]);
    await at(untrusted).tryOut();
    await untrusted.stop();

    const another = await started({ password: login.password });
    const elsewhere = { host: 'mail.example.com', port: another.port, secure: false, ...login };
    const pinned = { addressOf: () => Promise.resolve('127.0.0.1') };
    await expect(mailServer(elsewhere, pinned).tryOut()).rejects.toThrow(/mail\.example\.com/);
    expect(another.passwords).toEqual([]);
    await mailServer({ ...elsewhere, host: 'localhost' }, pinned).tryOut();
  });

  it('that says nothing, or little, is left after a while', async () => {
    const slow = createServer((socket) => {
      const drip = setInterval(() => socket.write('2'), 20);
      socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo;
    const there = mailServer({ host: '127.0.0.1', port, secure: false }, { timeoutMs: 200 });
    await expect(there.tryOut()).rejects.toThrow();
    await expect(there.send(mail)).rejects.toThrow();
    slow.close();
  });
});
