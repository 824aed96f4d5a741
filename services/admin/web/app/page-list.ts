import type { Permission } from '@messaging-gateway/contracts';
import type { IconName } from '../kit/icon-paths.ts';
import type { groupNames, pageNames } from './texts.ts';

/** A page. It is there once its folder in `web/pages` holds a `page.tsx`; until then its address is *Not found*. */
export interface PageRow {
  /** Folder in `web/pages`. */
  readonly folder: string;
  readonly path: string;
  /** Permission that a role needs to see the page. Absent: everybody who is signed in. */
  readonly permission?: Permission;
  /** Link to the page in the navigation. Absent: the page is reached from another one. */
  readonly link?: {
    readonly name: keyof typeof pageNames;
    readonly icon: IconName;
    readonly group: keyof typeof groupNames;
  };
}

type Link = NonNullable<PageRow['link']>;
const row = (folder: string, path: string, permission?: Permission, link?: Link): PageRow => ({
  folder,
  path,
  ...(permission && { permission }),
  ...(link && { link }),
});
const link = (group: Link['group'], name: Link['name'], icon: IconName): Link => ({ group, name, icon });

/** Pages of who is signed in, in the order of the navigation. */
export const pages: readonly PageRow[] = [
  row('overview', '/', undefined, link('start', 'overview', 'overview')),
  row('profiles', '/profiles', 'profile:read', link('start', 'profiles', 'profiles')),
  row('profile', '/profiles/$profileId', 'profile:read'),
  row('inbox', '/inbox/{-$conversationId}', 'message:read', link('start', 'inbox', 'inbox')),
  row('messages', '/messages', 'message:read', link('sending', 'messages', 'messages')),
  row('message', '/messages/$messageId', 'message:read'),
  row('bulk', '/bulk', 'message:read', link('sending', 'bulk', 'bulk')),
  row('batch', '/bulk/$batchId', 'message:read'),
  row('scheduled', '/scheduled', 'message:read', link('sending', 'scheduled', 'scheduled')),
  row('broadcasts', '/broadcasts', 'broadcast:read', link('sending', 'broadcasts', 'broadcasts')),
  row('broadcast', '/broadcasts/$broadcastId', 'broadcast:read'),
  row('templates', '/templates', 'template:read', link('sending', 'templates', 'templates')),
  row('contacts', '/contacts', 'contact:read', link('people', 'contacts', 'contacts')),
  row('import-contacts', '/contacts/import', 'contact:import', link('people', 'importContacts', 'upload')),
  row('suppressions', '/contacts/opt-outs', 'contact:read', link('people', 'suppressions', 'ban')),
  row('contact', '/contacts/$contactId', 'contact:read'),
  row('groups', '/groups', 'group:read', link('people', 'groups', 'groups')),
  row('group', '/groups/$profileId/$groupId', 'group:read'),
  row('automation', '/automation', 'automation:read', link('answering', 'automation', 'automation')),
  row('flow', '/automation/$flowId', 'automation:read'),
  row('auto-replies', '/auto-replies', 'automation:read', link('answering', 'autoReplies', 'replies')),
  row('quick-replies', '/quick-replies', 'automation:read', link('answering', 'quickReplies', 'quick')),
  row('ai', '/ai', 'automation:read', link('answering', 'ai', 'ai')),
  row('webhooks', '/webhooks', 'webhook:manage', link('developers', 'webhooks', 'webhooks')),
  row('webhook', '/webhooks/$webhookId', 'webhook:manage'),
  row('events', '/events', 'webhook:manage', link('developers', 'events', 'events')),
  row('api-keys', '/api-keys', 'apikey:read', link('developers', 'apiKeys', 'keys')),
  row('members', '/members', 'user:read', link('organization', 'members', 'members')),
  row('roles', '/roles', 'user:read', link('organization', 'roles', 'roles')),
  row('workspaces', '/workspaces', 'workspace:read', link('organization', 'workspaces', 'workspaces')),
  row('accounts', '/accounts', 'profile:read', link('organization', 'accounts', 'accounts')),
  row('audit', '/audit', 'audit:read', link('organization', 'audit', 'audit')),
  row('statistics', '/statistics', 'statistics:read', link('organization', 'statistics', 'statistics')),
  row('notifications', '/notifications', undefined, link('organization', 'notifications', 'notifications')),
  row('settings', '/settings', 'settings:read', link('organization', 'settings', 'settings')),
  row('account', '/account', undefined, link('organization', 'account', 'account')),
];

/** Address of a page that has a link in the navigation. */
export const addressOf = ({ path }: PageRow): string => path.replace(/\/\{.*$/, '');

/** Pages for whom nobody has to be signed in. */
export const doors: readonly PageRow[] = [
  row('sign-in', '/sign-in'),
  row('sign-in-code', '/sign-in/code'),
  row('register', '/register'),
  row('change-password', '/change-password'),
];
