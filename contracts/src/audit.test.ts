import { describe, expect, it } from '@jest/globals';
import { type AuditSpec, auditActions, auditCategories, auditOf, operations } from './index.ts';

const audited = operations.flatMap((operation) => {
  const spec = auditOf(operation);
  return spec === undefined ? [] : [{ operation, spec }];
});

describe('the audit', () => {
  it('has an action for every operation that writes, unless its contract says that there is none', () => {
    const without = operations.filter(
      (operation) => operation.method !== 'GET' && operation.audit !== false && auditOf(operation) === undefined,
    );
    // Give these contracts `audit: '<category>.<what was done>'`.
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('knows the category of each action', () => {
    for (const { key, category, description } of auditActions(operations)) {
      expect(auditCategories).toContain(category);
      expect(key).toMatch(/^[a-z_]+\.[a-z_]+$/);
      expect(description).not.toBe('');
    }
  });

  it('lists each action once', () => {
    const keys = auditActions(operations).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(['profile.create', 'message.send', 'auth.login', 'auth.login_failed']));
  });

  it('finds the thing in the path by parameters that are there', () => {
    const missing = audited.filter(
      ({ operation, spec }) =>
        typeof spec.resourceParameter === 'string' && !operation.path.includes(`:${spec.resourceParameter}`),
    );
    expect(missing.map(({ operation }) => operation.name)).toEqual([]);
    const parameterOf = (path: string, audit: string | AuditSpec): string | null | undefined =>
      auditOf({ method: 'POST', name: 'Some', path, audit })?.resourceParameter;
    expect(parameterOf('/accounts/:accountId/profiles/:profileId/connect', 'profile.connect')).toBe('profileId');
    expect(parameterOf('/accounts/:accountId/profiles', 'profile.create')).toBeUndefined();
    expect(parameterOf('/webhooks/:id/deliveries/:deliveryId', 'webhook.redeliver')).toBe('id');
    expect(parameterOf('/profiles/:id', { action: 'contact.import', resourceParameter: null })).toBeNull();
    expect(parameterOf('/messages/text', 'message.send')).toBeUndefined();
  });

  it('keeps no phone number as the name of a thing', () => {
    const byPhone = audited.filter(({ spec }) => spec.resourceParameter === 'phone');
    expect(byPhone.map(({ operation }) => operation.name)).toEqual([]);
  });
});
