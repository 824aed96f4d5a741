import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ExportAccount,
  UpdateIntegrations,
  UpdatePreferences,
  UpdateSmtpSettings,
  UpdateStorageSettings,
  type Caller,
} from '@messaging-gateway/contracts';
import { IdentityFixture } from '../identity.fixture.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start();
});
afterAll(() => fixture.service.stop());

/** Pages of identity's own data: those before the first one of another service. */
async function ownPages(caller: Caller): Promise<Record<string, unknown[]>> {
  let text = '';
  let cursor: string | undefined;
  while (!text.includes('"preferences":[')) {
    const { body } = await fixture.service.call(ExportAccount, { caller, query: { ...(cursor && { cursor }) } });
    const read = body as { text: string; nextCursor: string };
    text += read.text;
    cursor = read.nextCursor;
  }
  return (JSON.parse(`${text}]}}`) as { sections: Record<string, unknown[]> }).sections;
}

describe('the export', () => {
  it('has what a person wants to be told, and of an only member the settings of the organization, without secrets', async () => {
    const owner = await fixture.newCaller();
    const secrets = ['a password', 'a token', 'a secret key'];
    const [password, apiToken, secretKey] = secrets;
    await fixture.service.call(UpdatePreferences, { caller: owner, body: { notifyOnMessage: false } });
    await fixture.service.call(UpdateSmtpSettings, { caller: owner, body: { user: 'ada@example.com', password } });
    await fixture.service.call(UpdateIntegrations, { caller: owner, body: { chatwoot: { accountId: 7, apiToken } } });
    await fixture.service.call(UpdateStorageSettings, { caller: owner, body: { bucket: 'the-bucket', secretKey } });
    const sections = await ownPages(owner);
    expect(sections).toMatchObject({
      preferences: [{ notifyOnMessage: false, notifyOnConnect: true }],
      smtpSettings: [{ user: 'ada@example.com', hasPassword: true }],
      integrations: [{ chatwoot: { accountId: '7', hasApiToken: true } }],
      storageSettings: [{ bucket: 'the-bucket', hasSecretKey: true }],
    });
    for (const secret of secrets) expect(JSON.stringify(sections)).not.toContain(secret);
    const { caller: member } = await fixture.memberOf(owner, 'Admin');
    expect(Object.keys(await ownPages(member)).toSorted()).toEqual(['preferences', 'sessions', 'user']);
  });
});
