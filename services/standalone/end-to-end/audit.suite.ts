import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register } from '@messaging-gateway/testing';
import type { LinkedProfile } from '@messaging-gateway/testing';
import { changeGroups } from './audited-groups.ts';
import {
  changeBroadcasts,
  changeAutoReplies,
  changeFlows,
  changeConnections,
  changeMessages,
  changeKnowledge,
  changeTemplates,
  changeWhatCameIn,
  hearing,
} from './audited-messages.ts';
import { changeOneself, changeOrganization } from './audited-organization.ts';
import { changeSettings } from './audited-settings.ts';
import { AuditedTenant, type Entry } from './audited-tenant.ts';
import type { World } from './world.ts';

const contact = '4915187654321';
const password = 'correct horse battery';
let world: World;
let audited: AuditedTenant;
let profile: LinkedProfile;

/**
 * Operations that are not done here, and why. An operation that changes something and is neither here nor done fails
 * the test.
 */
const elsewhere: Readonly<Record<string, string>> = {
  'POST /auth/register': 'counted below',
  'POST /auth/login': 'counted below',
  'POST /auth/2fa/verify': 'counted in people.suite.ts',
  'DELETE /account/delete': 'erased with the person',
  'DELETE /auth/account': 'erased with the person',
  'POST /rbac/organizations/:id/seed': 'changes nothing (0407)',
  'POST /contacts/sync/messaging': 'changes nothing where the network knows nobody new',
  'POST /contacts/profile/:profileId/save-to-messaging': 'the engine has no address book',
  'DELETE /contacts/profile/:profileId/messaging/:phone': 'the engine has no address book',
};

/** One entry for each change, whoever asked for it. */
export function audit(at: () => World): void {
  describe('the audit', () => {
    beforeAll(async () => {
      world = at();
      audited = await AuditedTenant.register(world);
      profile = await linkProfile(world, audited.tenant, '4915112345650');
    }, 600_000);

    it('has one entry for everything that a person or a key has changed', async () => {
      const { profileId } = profile;
      const one = await audited.does('account.create', 'POST', '/accounts', { body: { name: 'Second' } });
      await audited.does('account.update', 'PUT', `/accounts/${one.body.id}`, { body: { name: 'Other' } });
      const made = await audited.does('profile.create', 'POST', '/profiles', { body: { name: 'P' }, byKey: true });
      const nested = await audited.does('profile.create', 'POST', `/accounts/${one.body.id}/profiles`, {
        body: { name: 'Q' },
      });
      await audited.does('profile.update', 'PUT', `/profiles/${made.body.id}`, { body: { name: 'R' } });
      await audited.does('profile.update', 'PUT', `/profiles/${made.body.id}`, {
        body: { messageDelayMs: 7 },
        byKey: true,
      });
      await audited.does('profile.update', 'PUT', `/profiles/${made.body.id}`, {
        body: { name: 'S', dailyMessageLimit: 9 },
      });
      await audited.does('profile.update', 'PUT', `/profiles/${made.body.id}`, { body: { handoverMinutes: 0 } });
      await audited.does('profile.connect', 'POST', `/profiles/${made.body.id}/connect`, { resource: made.body.id });
      const page = await audited.does<{ id: string }>(
        'profile.link_page',
        'POST',
        `/profiles/${made.body.id}/link-page`,
        {
          body: { expiresInMinutes: 5 },
          resource: made.body.id,
        },
      );
      const withdrawn = `/profiles/${made.body.id}/link-page/${page.body.id}`;
      await audited.does('profile.withdraw_link_page', 'DELETE', withdrawn, { resource: made.body.id });
      await audited.does('profile.disconnect', 'POST', `/profiles/${made.body.id}/disconnect`, {
        resource: made.body.id,
      });
      await audited.does('profile.delete', 'DELETE', `/profiles/${made.body.id}`, { resource: made.body.id });
      await audited.does('profile.delete', 'DELETE', `/accounts/${one.body.id}/profiles/${nested.body.id}`, {
        resource: nested.body.id,
      });
      await audited.does('account.delete', 'DELETE', `/accounts/${one.body.id}`, { resource: one.body.id });

      const to = { profileId, to: contact };
      const idOf = ({ data }: { data: { messageId: string } }) => data.messageId;
      type Sent = Parameters<typeof idOf>[0];
      const sent = await audited.does<Sent>('message.send', 'POST', '/messages/text', {
        body: { ...to, text: 'Hello' },
        resource: idOf,
      });
      await audited.does<Sent>('message.send', 'POST', '/messages/location', {
        body: { ...to, latitude: 1, longitude: 2 },
        byKey: true,
        resource: idOf,
      });
      const { messageId } = sent.body.data;
      await audited.does('message.react', 'POST', '/messages/reaction', {
        body: { profileId, messageId, emoji: '👍' },
        resource: null,
      });
      const scheduled = await audited.does('schedule.create', 'POST', '/messages/schedule', {
        body: {
          ...to,
          type: 'text',
          content: { text: 'Later' },
          scheduledAt: new Date(Date.now() + 3.6e6).toISOString(),
        },
        resource: null,
      });
      await audited.does('schedule.cancel', 'DELETE', `/messages/schedule/${scheduled.body.id}`, {
        resource: scheduled.body.id,
      });
      const batch = await audited.does<{ batchId: string }>('batch.create', 'POST', '/bulk/send', {
        body: {
          profileId,
          messages: [1, 2, 3].map((n) => ({ chatId: contact, type: 'text', content: { text: `Bulk ${n}` } })),
          options: { delayBetweenMessages: 60_000 },
        },
        resource: ({ batchId }) => batchId,
      });
      await audited.does('batch.cancel', 'POST', `/bulk/batch/${batch.body.batchId}/cancel`, {
        resource: batch.body.batchId,
      });

      const person = await audited.does('contact.create', 'POST', '/contacts', {
        body: { phone: '4915199999901', name: 'A' },
      });
      await audited.does('contact.update', 'PUT', `/contacts/${person.body.id}`, { body: { name: 'B' }, byKey: true });
      await audited.does('contact.add_tags', 'POST', `/contacts/${person.body.id}/tags`, { body: { tags: ['x'] } });
      await audited.does('contact.remove_tags', 'DELETE', `/contacts/${person.body.id}/tags`, {
        body: { tags: ['x'] },
      });
      await audited.does('contact.import', 'POST', '/contacts/import', {
        body: { contacts: Array.from({ length: 30 }, (_, n) => ({ phone: `49151888888${10 + n}` })) },
        resource: null,
      });
      await audited.does('contact.delete', 'DELETE', `/contacts/${person.body.id}`, { resource: person.body.id });

      const [conversation] = await eventually(async () => {
        const { body } = await audited.tenant.call<{ items: { id: string }[] }>(
          'GET',
          `/conversations?profileId=${profileId}`,
        );
        return body.items.length > 0 ? body.items : undefined;
      });
      for (const verb of ['archive', 'unarchive', 'mute', 'pin', 'handover', 'resume'])
        await audited.does(`conversation.${verb}`, 'PUT', `/conversations/${conversation?.id}/${verb}`);
      const presence = `/conversations/${conversation?.id}/presence/subscribe`;
      const resource = conversation?.id ?? '';
      await audited.does('conversation.subscribe_presence', 'POST', presence, { resource });
      await audited.does('conversation.unsubscribe_presence', 'DELETE', presence, { resource });
      const timer = { body: { seconds: 604_800 }, resource };
      await audited.does('conversation.disappearing', 'PUT', `/conversations/${resource}/disappearing`, timer);
      await audited.does('message.delete', 'DELETE', `/messages/${messageId}`, { resource: messageId });
      await audited.does('conversation.clear', 'DELETE', `/conversations/${conversation?.id}/messages`, {
        resource: conversation?.id ?? '',
      });
      await audited.does('conversation.delete', 'DELETE', `/conversations/${conversation?.id}`, {
        resource: conversation?.id ?? '',
      });

      await changeSettings(audited);
      await changeOrganization(audited);
      await changeGroups(audited, profileId);
      await changeMessages(audited, profileId);
      await changeTemplates(audited, profileId);
      await changeKnowledge(audited, profileId);
      await changeBroadcasts(audited, profileId);
      await changeFlows(audited, profileId);
      await changeAutoReplies(audited, profileId);
      await changeConnections(audited, profileId);
      await changeWhatCameIn(audited, profileId, hearing(world, audited, profile.phone));
      await changeOneself(world, audited);

      const found = await audited.settledEntries();
      const byRequest = Map.groupBy(found, ({ requestId }) => requestId);
      const shown = audited.steps.map(({ requestId, resource, action }) => ({
        action,
        entries: (byRequest.get(requestId) ?? []).map((entry) => ({
          action: entry.action,
          actor: `${entry.actor.type} ${entry.actor.id} ${entry.actor.name}`,
          resource: resource === undefined ? undefined : entry.resourceId,
          from: [entry.ip, entry.userAgent],
        })),
      }));
      expect(shown).toEqual(
        audited.steps.map(({ action, actor, resource }) => ({
          action,
          entries: [{ action, actor, resource, from: ['127.0.0.1', 'the audit test'] }],
        })),
      );
      expect([...byRequest].filter(([, some]) => some.length > 1)).toEqual([]);
      expect(audited.undone().toSorted()).toEqual(Object.keys(elsewhere).toSorted());
      expect(found.find(({ action, actor }) => action === 'profile.update' && actor.type === 'api_key')).toMatchObject({
        metadata: { fields: ['messageDelayMs'] },
        resourceType: 'profile',
      });
    }, 900_000);

    it('has an entry for logins and failed logins, none for what was refused or only read', async () => {
      const logIn = (given: string, requestId: string) =>
        world.gateway.call<{ accessToken: string }>(
          'POST',
          '/auth/login',
          { email: audited.me.email, password: given },
          { headers: { 'x-request-id': requestId } },
        );
      const [right, wrong, refused] = [randomUUID(), randomUUID(), randomUUID()];
      expect((await logIn('not the password', wrong)).status).toBe(401);
      expect((await logIn(password, right)).status).toBe(200);
      const headers = { 'x-request-id': refused };
      expect((await audited.tenant.call('DELETE', `/contacts/${randomUUID()}`, undefined, headers)).status).toBe(404);
      expect((await audited.tenant.call('POST', '/accounts', {}, headers)).status).toBe(400);
      await audited.tenant.call('GET', '/accounts', undefined, headers);
      const byRequest = async (id: string) =>
        (await audited.entries())
          .filter(({ requestId }) => requestId === id)
          .map(({ action, actor }) => [action, actor.id]);
      for (const one of [wrong, right])
        await eventually(async () => ((await byRequest(one)).length > 0 ? true : undefined));
      expect(await byRequest(wrong)).toEqual([['auth.login_failed', audited.me.id]]);
      expect(await byRequest(right)).toEqual([['auth.login', audited.me.id]]);
      expect(await byRequest(refused)).toEqual([]);
      const registered = (await audited.entries('&action=auth.register')).map(({ resourceId, resourceType }) => [
        resourceType,
        resourceId,
      ]);
      expect(registered).toEqual([['user', audited.me.id]]);
    }, 600_000);

    it('shows only actions of its catalogue, counts them, and shows nobody else any', async () => {
      const { body } = await audited.tenant.call<{ items: { key: string }[] }>('GET', '/audit/actions');
      const keys = new Set(body.items.map(({ key: name }) => name));
      const found = await audited.entries();
      expect(found.filter(({ action }) => !keys.has(action))).toEqual([]);
      const summary = await audited.tenant.call<{ total: number }>('GET', '/audit/summary');
      expect(summary.body.total).toBe(found.length);
      const stranger = await register(world);
      const theirs = await eventually(async () => {
        const answer = await stranger.call<{ items: Entry[] }>('GET', '/audit/logs');
        return answer.body.items.length > 0 ? answer.body.items : undefined;
      });
      expect(theirs.map(({ action }) => action)).toEqual(['auth.register']);
    }, 600_000);

    it('lacks nothing and doubles nothing over a kill -9 in the middle of changes', async () => {
      const answered: string[] = [];
      const changing = async (worker: number): Promise<void> => {
        for (let n = 0; ; n += 1) {
          const phone = `4917${worker}${String(n).padStart(7, '0')}`;
          const answer = await audited.tenant
            .call<{ id: string }>('POST', '/contacts', { phone })
            .catch(() => undefined);
          if (answer?.status !== 201) return;
          answered.push(answer.body.id);
        }
      };
      const working = Promise.all([1, 2, 3, 4].map(changing));
      await eventually(async () => (answered.length >= 60 ? true : undefined));
      await world.gateway.kill();
      await working;
      await world.restart();
      const there = (await audited.contacts('4917')).toSorted();
      const of = async (): Promise<string[]> =>
        (await audited.entries('&action=contact.create'))
          .map(({ resourceId }) => resourceId ?? '')
          .filter((id) => there.includes(id))
          .toSorted();
      await eventually(async () => ((await of()).length >= there.length ? true : undefined));
      expect(await of()).toEqual(there);
      expect(answered.filter((id) => !there.includes(id))).toEqual([]);
    }, 600_000);
  });
}
