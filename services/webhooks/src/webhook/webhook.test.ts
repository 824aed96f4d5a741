import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { webhook, type WebhookCommand, type WebhookEvent } from './webhook.ts';

const given = specification(webhook);
const at = '2026-01-01T00:00:00.000Z';
const later = '2026-01-02T00:00:00.000Z';
const by = { organizationId: 'organization' };
const stranger = { organizationId: 'another' };
const settings = { url: 'https://example.com/', events: ['*'], enabled: true };
const create: WebhookCommand = { type: 'CreateWebhook', by, settings, secret: 'old', at };
const created: Extract<WebhookEvent, { type: 'WebhookCreated' }> = {
  type: 'WebhookCreated',
  data: { ...settings, organizationId: 'organization', secret: 'old', at },
};
const unsigned: WebhookEvent = { type: 'WebhookCreated', data: { ...settings, organizationId: 'organization', at } };
const deleted: WebhookEvent = { type: 'WebhookDeleted', data: { at } };
const disabled: WebhookEvent = { type: 'WebhookDisabled', data: { url: settings.url, reason: 'GONE', at } };
const disable: WebhookCommand = { type: 'DisableWebhook', url: settings.url, reason: 'GONE', at };
const rotate = { type: 'RotateSecret', by, request: 'request', secret: 'new', at, previousUntil: later } as const;
const rotated: WebhookEvent = {
  type: 'WebhookSecretSet',
  data: { secret: 'new', previous: 'old', previousUntil: later, request: 'request', at },
};
const change = (changes: Extract<WebhookCommand, { type: 'ChangeWebhook' }>['changes']): WebhookCommand => ({
  type: 'ChangeWebhook',
  by,
  changes,
  at: later,
});

describe('a webhook', () => {
  it('is created', () => given().when(create).then(created));
  it('is created once, however often the request comes', () => given(created).when(create).thenNothing());

  it('belongs to its organization alone', () => {
    for (const command of [
      { type: 'ChangeWebhook', by: stranger, changes: {}, at },
      { type: 'DeleteWebhook', by: stranger, at },
      { ...rotate, by: stranger },
    ] as const) {
      given(created).when(command).thenRefused('NOT_FOUND');
    }
  });

  it('changes the fields given and no others', () => {
    given(created)
      .when(change({ events: ['message.*'], headers: { a: 'b' } }))
      .then({ type: 'WebhookChanged', data: { ...settings, events: ['message.*'], headers: { a: 'b' }, at: later } });
  });
  it('keeps the value of a header of which only the name is given', () => {
    const before = { ...created, data: { ...created.data, headers: { Authorization: 'Bearer x', Other: 'y' } } };
    given(before)
      .when(change({ headers: { authorization: '********', 'X-New': 'z' } }))
      .then({
        type: 'WebhookChanged',
        data: { ...settings, headers: { authorization: 'Bearer x', 'X-New': 'z' }, at: later },
      });
    given(before)
      .when(change({ headers: { Authorization: '********', Other: '********' } }))
      .thenNothing();
  });
  it('does not change when nothing differs', () =>
    given(created)
      .when(change({ url: settings.url, secret: 'old' }))
      .thenNothing());
  it('loses what is set to null', () => {
    given({ ...created, data: { ...created.data, headers: { a: 'b' }, profileIds: ['one'] } })
      .when(change({ headers: null, profileIds: null, secret: null }))
      .then(
        { type: 'WebhookChanged', data: { ...settings, at: later } },
        { type: 'WebhookSecretSet', data: { secret: null, at: later } },
      );
  });

  it('keeps the old secret for a while when it is rotated', () => {
    given(created).when(rotate).then(rotated);
  });
  it('is rotated once, however often the request comes', () => {
    given(created, rotated)
      .when({ ...rotate, secret: 'made for the repeat' })
      .thenNothing();
    given(created, rotated)
      .when({ ...rotate, request: 'another' })
      .thenNothing();
  });
  it('has no old secret to keep when it was unsigned', () => {
    given(unsigned)
      .when(rotate)
      .then({ type: 'WebhookSecretSet', data: { secret: 'new', request: 'request', at } });
  });

  it('is disabled when its receiver is gone', () => given(created).when(disable).then(disabled));
  it('is disabled once', () => given(created, disabled).when(disable).thenNothing());
  it('is not disabled for a target that it no longer has', () =>
    given(created)
      .when({ ...disable, url: 'https://example.com/old' })
      .thenNothing());
  it('can be enabled again', () => {
    given(created, disabled)
      .when(change({ enabled: true }))
      .then({ type: 'WebhookChanged', data: { ...settings, at: later } });
  });

  it('is gone once deleted', () => {
    given(created).when({ type: 'DeleteWebhook', by, at }).then(deleted);
    given(created, deleted).when({ type: 'DeleteWebhook', by, at }).thenRefused('NOT_FOUND');
    given(created, deleted).when(disable).thenNothing();
  });

  it('made by a key limited to some profiles is limited to those', () => {
    const limited = { organizationId: 'organization', profileIds: ['one'] };
    given()
      .when({ ...create, by: limited })
      .thenRefused('FORBIDDEN');
    given()
      .when({ ...create, by: limited, settings: { ...settings, profileIds: ['two'] } })
      .thenRefused('FORBIDDEN');
    given(created).when({ type: 'DeleteWebhook', by: limited, at }).thenRefused('FORBIDDEN');
    given({ ...created, data: { ...created.data, profileIds: ['one'] } })
      .when({ type: 'ChangeWebhook', by: limited, changes: { profileIds: null }, at })
      .thenRefused('FORBIDDEN');
  });
});
