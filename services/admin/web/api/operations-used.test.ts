import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { operations } from '@messaging-gateway/contracts';

/** Operations that no page asks for, by the reason. */
const withoutPage: Readonly<Record<string, readonly string[]>> = {
  'the same as the routes of profiles, below an account': [
    'ListAccountProfiles',
    'CreateAccountProfile',
    'GetAccountProfile',
    'DeleteAccountProfile',
    'ConnectAccountProfile',
    'DisconnectAccountProfile',
    'GetQr',
  ],
  'the same as ListConversationMessages, ReadConversation, InviteMember and RemoveMember under other names': [
    'ListMessagesOfConversation',
    'MarkMessagesRead',
    'AssignRole',
    'UnassignUser',
  ],
  'one of what a list has whole, which the pages show from there': [
    'GetAccount',
    'GetAutoReply',
    'GetRole',
    'GetTemplate',
    'GetWorkspace',
  ],
  'the same as ValidateNumbers for one number, and as ImportContactsCsv for programs that have no file': [
    'ValidateNumber',
    'ImportContacts',
  ],
  'the same as DeleteAccountData under another name': ['DeleteOwnAccount'],
  'a member has one role, which stands beside the name; what it allows is the matrix of roles': [
    'ListUserRoles',
    'ListUserPermissions',
  ],
  'no engine that there is has the address book of the phone: they answer 501': [
    'SaveToAddressBook',
    'DeleteFromAddressBook',
  ],
  'read for the pages by name of the address that messages hold': ['GetMedia', 'GetLinkedMedia'],
  'asked by orchestrators and load balancers': ['Health', 'HealthReady', 'GetStart'],
  'called by the page that a link leads to, for somebody who is not signed in': ['ReadLinkPage', 'ConnectLinkPage'],
  'called by Chatwoot': ['TakeChatwootEvent'],
  'sent by programs: a person types no one-time code': ['SendOtp'],
  'for programs: a conversation that is open is told of by the stream': ['SubscribePresence', 'UnsubscribePresence'],
  'an organization has its roles from its first day': ['SeedRoles'],
};

const web = fileURLToPath(new URL('..', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: web })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(`${web}${file}`, 'utf8'));
const all = sources.join('\n');
/** Sources that reach routes by their address: downloads, uploads, streams. */
const byAddress = sources.filter((text) => /\b(apiAddress|send|sendInSession|readStream)\(/.test(text)).join('\n');

function isUsed({ name, path }: { readonly name: string; readonly path: string }): boolean {
  const address = path.replace(/:\w+/g, String.raw`\$\{[^}]+\}`);
  return new RegExp(`['"]${name}['"]`).test(all) || new RegExp(`['\`]${address}['\`?$]`).test(byAddress);
}

describe('the catalogue', () => {
  const names = operations.map(({ name }) => name);
  const used = operations.filter(isUsed).map(({ name }) => name);
  const excused = Object.values(withoutPage).flat();

  it('is used by the pages, but for what is named here with its reason', () =>
    expect(names.filter((name) => ![...used, ...excused].includes(name))).toEqual([]));

  it('has all that is named here, and no page uses it', () => {
    expect(excused.filter((name) => !names.includes(name))).toEqual([]);
    expect(excused.filter((name) => used.includes(name))).toEqual([]);
  });
});
