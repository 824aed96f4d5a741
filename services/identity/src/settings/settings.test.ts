import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DescribeProfile,
  GetIntegrations,
  GetSmtpSettings,
  GetStorageSettings,
  IntegrationsChanged,
  ListIntegrations,
  ReadIntegrations,
  SendTenantMail,
  TestIntegration,
  TestSmtpSettings,
  TestStorageSettings,
  TryTypebot,
  UpdateIntegrations,
  UpdateSmtpSettings,
  UpdateStorageSettings,
  mediaKey,
} from '@messaging-gateway/contracts';
import { testMailServer, type TestMailServer } from '@messaging-gateway/mail/testing';
import { mediaSettings, openMediaStore } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { openedFor, readSettings } from '@messaging-gateway/runtime';
import { testCaller, testEncryption, testService, type TestService } from '@messaging-gateway/service/testing';
import { describeWith, testS3, type TestS3 } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { settings } from '../identity.fixture.ts';
import { identity } from '../index.ts';

let service: TestService;
let strict: TestService;
let mailServer: TestMailServer;
const unknownProfile = v7();
const password = 'the password of the mail server';

beforeAll(async () => {
  mailServer = await testMailServer({ password });
  service = await testService(identity, {
    settings,
    others: (fake) =>
      fake(DescribeProfile, ({ profileId }) => {
        if (profileId === unknownProfile) throw new Refused('NOT_FOUND', 'There is no such profile.');
        return { profileId, status: 'connected' as const };
      }),
  });
  strict = await testService(identity, { settings: { ...settings, allowPrivateTargets: false } });
});
afterAll(async () => {
  await Promise.all([service.stop(), strict.stop()]);
  await mailServer.stop();
});

const smtp = () => ({ host: '127.0.0.1', port: mailServer.port, user: 'mailer', password });

describe('the mail server of an organization', () => {
  it('is shown without its password, which is nowhere in the clear', async () => {
    const caller = testCaller();
    const none = { host: null, port: null, user: null, hasPassword: false, from: null, secure: false };
    expect((await service.call(GetSmtpSettings, { caller })).body).toEqual(none);
    const body = { ...smtp(), from: 'us@example.com' };
    const { password: _, ...visible } = body;
    const expected = { ...visible, secure: false, hasPassword: true };
    expect((await service.call(UpdateSmtpSettings, { caller, body })).body).toEqual(expected);
    expect((await service.call(UpdateSmtpSettings, { caller, body: { from: 'we@example.com' } })).body).toEqual({
      ...expected,
      from: 'we@example.com',
    });
    await service.restart();
    expect((await service.call(GetSmtpSettings, { caller })).body).toMatchObject({ hasPassword: true });
    const rows = await service.sql.query('SELECT * FROM identity.events');
    expect(JSON.stringify(rows)).not.toContain(password);
    const removed = await service.call(UpdateSmtpSettings, { caller, body: { password: null, user: null } });
    expect(removed.body).toMatchObject({ hasPassword: false, user: null, from: 'we@example.com' });
    expect((await service.call(GetSmtpSettings, { caller: testCaller() })).body).toEqual(none);
  });

  it('is tried by a real login, with fields that are not kept yet too', async () => {
    const caller = testCaller();
    const tryOut = async (body?: object) =>
      (await service.call(TestSmtpSettings, { caller, ...(body && { body }) })).body as { success: boolean };
    expect(await tryOut()).toMatchObject({ success: false });
    await service.call(UpdateSmtpSettings, { caller, body: smtp() });
    expect(await tryOut()).toMatchObject({ success: true });
    expect(await tryOut({ password: 'another' })).toMatchObject({ success: false });
    expect(await tryOut({ port: 1 })).toMatchObject({ success: false });
    const wrong = JSON.stringify(await tryOut({ password: 'another secret' }));
    expect(wrong).not.toContain('another secret');
    expect(await tryOut()).toMatchObject({ success: true });
    expect(mailServer.mails).toEqual([]);
  });

  it('is given no password without TLS', async () => {
    const open = await testMailServer({ tls: 'none', password });
    const caller = testCaller();
    const body = { ...smtp(), port: open.port };
    expect((await service.call(TestSmtpSettings, { caller, body })).body).toMatchObject({ success: false });
    expect(open.passwords).toEqual([]);
    await open.stop();
  });

  it('is given a password only when that was given for it', async () => {
    const caller = testCaller();
    const tryOut = async (body?: object) =>
      (await service.call(TestSmtpSettings, { caller, ...(body && { body }) })).body;
    const update = async (body: object) => (await service.call(UpdateSmtpSettings, { caller, body })).body;
    await update(smtp());
    mailServer.passwords.length = 0;
    const elsewhere = { host: 'localhost' };
    expect(await tryOut(elsewhere)).toMatchObject({ success: false });
    expect(await tryOut({ ...elsewhere, password })).toMatchObject({ success: true });
    expect(await tryOut()).toMatchObject({ success: true });
    expect(mailServer.passwords.filter((one) => one === password)).toHaveLength(2);
    expect(await update({ ...elsewhere, password })).toMatchObject({ ...elsewhere, hasPassword: true });
    expect(await update({ host: 'LOCALHOST', port: 25 })).toMatchObject({ hasPassword: true });
    expect(await update({ host: null })).toMatchObject({ hasPassword: false });
    await update(smtp());
    expect(await update(elsewhere)).toMatchObject({ ...elsewhere, hasPassword: false, user: 'mailer' });
  });

  it('takes mails', async () => {
    const { organizationId, ...caller } = testCaller();
    const mail = { organizationId, to: 'ada@example.com', subject: 'Hello', text: 'A text.' };
    expect(await service.ask(SendTenantMail, mail)).toEqual({ sent: false });
    const body = { ...smtp(), from: 'us@example.com' };
    await service.call(UpdateSmtpSettings, { caller: { ...caller, organizationId }, body });
    expect(await service.ask(SendTenantMail, mail)).toEqual({ sent: true });
    expect(mailServer.mails.at(-1)?.raw).toMatch(/From: us@example\.com[^]*To: ada@example\.com[^]*A text\./);
    await service.call(UpdateSmtpSettings, { caller: { ...caller, organizationId }, body: { password: 'wrong' } });
    await expect(service.ask(SendTenantMail, mail)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('integrations', () => {
  it('are kept without showing the token, which goes with another server', async () => {
    const caller = testCaller();
    const url = 'http://127.0.0.1:1';
    const chatwoot = { url, apiToken: 'a token', accountId: 1, inboxId: 2, enabled: true };
    const { body } = await service.call(UpdateIntegrations, { caller, body: { chatwoot } });
    const shown = {
      chatwoot: {
        url,
        hasApiToken: true,
        accountId: '1',
        inboxId: '2',
        enabled: true,
        profileIds: null,
        hasWebhookSecret: false,
      },
      typebot: {
        apiUrl: null,
        botId: null,
        enabled: false,
        profileIds: null,
        trigger: null,
        expireMinutes: 60,
        ignoreGroups: true,
      },
    };
    expect(body).toMatchObject(shown);
    expect((await service.call(GetIntegrations, { caller })).body).toEqual(shown);
    const elsewhere = { caller, body: { chatwoot: { url: url.replace('127.0.0.1', 'localhost') } } };
    const slashed = { caller, body: { chatwoot: { url: `${url}/` } } };
    expect((await service.call(UpdateIntegrations, slashed)).body).toMatchObject({ chatwoot: { hasApiToken: true } });
    expect((await service.call(UpdateIntegrations, elsewhere)).body).toMatchObject({
      chatwoot: { hasApiToken: false },
    });
  });

  it('have a URL for Chatwoot, whose token is shown once and can be made anew', async () => {
    const caller = testCaller();
    const { organizationId } = caller;
    const update = async (chatwoot: object) =>
      (
        (await service.call(UpdateIntegrations, { caller, body: { chatwoot } })).body as {
          chatwoot: { webhookUrl?: string };
        }
      ).chatwoot.webhookUrl;
    const kept = async () => {
      const { settings: sealed } = await service.ask(ReadIntegrations, { organizationId });
      return (openedFor(testEncryption, organizationId, sealed) as { chatwoot: { tokenHash: string } }).chatwoot
        .tokenHash;
    };
    const first = await update({ inboxId: 2 });
    const token = /\/api\/v1\/integrations\/chatwoot\/([\da-f-]{36})\?token=([\w-]{43})$/.exec(first ?? '');
    expect(token?.[1]).toBe(organizationId);
    expect(await kept()).toBe(
      createHash('sha256')
        .update(token?.[2] ?? '')
        .digest('hex'),
    );
    expect(await update({ webhookSecret: 'hidden' })).toBeUndefined();
    expect((await service.call(GetIntegrations, { caller })).body).toMatchObject({
      chatwoot: { hasWebhookSecret: true },
    });
    const before = await kept();
    expect(await update({ rotateToken: true })).not.toBe(first);
    expect(await kept()).not.toBe(before);
  });

  it('are handed over sealed to whoever speaks to the product, and told of', async () => {
    const caller = testCaller();
    const { organizationId } = caller;
    const typebot = {
      apiUrl: 'http://127.0.0.1:1/',
      botId: 'bot',
      enabled: true,
      profileIds: [v7()],
      trigger: { keywords: ['menu'] },
      expireMinutes: 0.5,
      ignoreGroups: false,
    };
    const tried: object[] = [];
    await service.fake(TryTypebot, ({ settings: sealed }) => {
      tried.push(openedFor(testEncryption, organizationId, sealed));
      return { success: true, message: 'It answers.' };
    });
    const { body } = await service.call(UpdateIntegrations, {
      caller,
      body: { typebot, chatwoot: { apiToken: 'hidden' } },
    });
    expect(body).toMatchObject({ typebot });
    expect((await service.call(TestIntegration, { caller, body: { type: 'typebot' } })).body).toMatchObject({
      success: true,
    });
    expect(tried).toMatchObject([{ typebot, chatwoot: { apiToken: 'hidden' } }]);
    const read = await service.ask(ReadIntegrations, { organizationId });
    expect(JSON.stringify(read) + Buffer.from(read.settings, 'base64').toString()).not.toContain('hidden');
    expect(openedFor(testEncryption, organizationId, read.settings)).toMatchObject({
      chatwoot: { apiToken: 'hidden' },
    });
    const told = (await service.published(IntegrationsChanged)).filter((one) => one.organizationId === organizationId);
    expect(told.map(({ data }) => data)).toEqual([{ version: read.version }]);
    const listed: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const { organizationIds, next } = await service.ask(ListIntegrations, { limit: 1, ...(after && { after }) });
      listed.push(...organizationIds);
      more = next !== null;
      after = next ?? undefined;
    }
    expect(listed.filter((id) => id === organizationId)).toHaveLength(1);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('name only profiles of the organization', async () => {
    await expect(
      service.call(UpdateIntegrations, { caller: testCaller(), body: { typebot: { profileIds: [unknownProfile] } } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('where settings lead', () => {
  it('is refused when it is the own network, when stored and when tried', async () => {
    const caller = testCaller();
    const refused = (path: string) => ({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] });
    for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]']) {
      const body = { host };
      await expect(strict.call(UpdateSmtpSettings, { caller, body })).rejects.toMatchObject(refused('body.host'));
      await expect(strict.call(TestSmtpSettings, { caller, body })).rejects.toMatchObject(refused('body.host'));
    }
    const endpoint = 'http://10.0.0.1:9000';
    for (const contract of [UpdateStorageSettings, TestStorageSettings])
      await expect(strict.call(contract, { caller, body: { endpoint } })).rejects.toMatchObject(
        refused('body.endpoint'),
      );
    const chatwoot = { url: 'http://[::ffff:127.0.0.1]/' };
    await expect(strict.call(UpdateIntegrations, { caller, body: { chatwoot } })).rejects.toMatchObject(
      refused('body.chatwoot.url'),
    );
    // Metadata services stay blocked wherever private targets are allowed.
    const metadata = { caller, body: { host: '169.254.169.254' } };
    await expect(service.call(UpdateSmtpSettings, metadata)).rejects.toMatchObject(refused('body.host'));
  });
});

/** The store of the tests makes its bucket with the first object. */
async function makeBucket({ endpoint, accessKey, secretKey, bucket }: TestS3): Promise<void> {
  const { hostname, port } = new URL(endpoint);
  const store = await openMediaStore(
    readSettings(mediaSettings, {
      OBJECT_STORE_ENDPOINT: hostname,
      OBJECT_STORE_PORT: port,
      OBJECT_STORE_USE_SSL: 'false',
      OBJECT_STORE_ACCESS_KEY: accessKey,
      OBJECT_STORE_SECRET_KEY: secretKey,
      OBJECT_STORE_BUCKET: bucket,
    }),
  );
  await store.put(mediaKey({ organizationId: v7() }, v7()), Readable.from([Buffer.from('a text')]));
  await store.close();
}

describeWith('s3', 'the storage of an organization', () => {
  it('is kept without showing its key, and tried with an object', async () => {
    const store = await testS3();
    await makeBucket(store);
    const { endpoint, accessKey, secretKey, bucket } = store;
    const caller = testCaller();
    const tryOut = async (body?: object) =>
      (await service.call(TestStorageSettings, { caller, ...(body && { body }) })).body;
    expect((await service.call(GetStorageSettings, { caller })).body).toMatchObject({ type: 'local', bucket: null });
    const body = { type: 's3' as const, endpoint, bucket, accessKey, secretKey, region: 'us-east-1' };
    expect(await tryOut(body)).toMatchObject({ success: true });
    expect(await tryOut({ type: 's3' })).toMatchObject({ success: false });
    const { secretKey: _, ...visible } = body;
    expect((await service.call(UpdateStorageSettings, { caller, body })).body).toEqual({
      ...visible,
      hasSecretKey: true,
      forcePathStyle: true,
    });
    expect(await tryOut()).toMatchObject({ success: true });
    expect(await tryOut({ secretKey: 'a wrong one' })).toMatchObject({ success: false });
    expect(await tryOut({ bucket: 'no-such-bucket-here' })).toMatchObject({ success: false });
    const rows = await service.sql.query('SELECT * FROM identity.events');
    expect(JSON.stringify(rows)).not.toContain(secretKey);
  });
});
