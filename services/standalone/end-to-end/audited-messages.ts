import { expect } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import type { AuditedTenant } from './audited-tenant.ts';
import type { World } from './world.ts';

const contact = '4915187654393';
/** A picture of one pixel, and as much of a voice note and of a film as tells what they are. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const voice = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead'), Buffer.alloc(64)]);
const film = Buffer.concat([Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'), Buffer.alloc(64)]);

type Sent = { data: { messageId: string } };

const pictureForm = (): FormData => {
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(picture, 'base64')]), 'picture.png');
  return form;
};

/** Sends what can be sent, and changes what was sent and whom it was sent to. */
export async function changeMessages(audited: AuditedTenant, profileId: string): Promise<void> {
  const to = { profileId, to: contact };
  const send = async (kind: string, content: object): Promise<string> => {
    const body = { ...to, ...content };
    const resource = ({ data }: Sent): string => data.messageId;
    const answer = await audited.does<Sent>('message.send', 'POST', `/messages/${kind}`, { body, resource });
    return answer.body.data.messageId;
  };
  await audited.does('media.upload', 'POST', '/uploads/media', { body: pictureForm() });
  await audited.does('media.upload', 'POST', '/uploads/media', { body: pictureForm(), byKey: true });
  const sent = await send('image', { base64: picture });
  await send('video', { base64: film.toString('base64') });
  await send('audio', { base64: voice.toString('base64') });
  await send('document', { base64: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64'), filename: 'a.pdf' });
  await send('contact', { contacts: [{ name: 'Ada', phone: '4915187654394' }] });
  await send('poll', { question: 'When?', options: ['Now', 'Later'] });
  const of = { profileId };
  const replied = { body: { ...of, quotedMessageId: sent, text: 'Yes' }, resource: null };
  await audited.does('message.send', 'POST', '/messages/reply', replied);
  const code = { body: { ...to, code: '123456' }, resource: null };
  await audited.does('message.send', 'POST', '/messages/otp', code);
  const everywhere = { body: { ...of, messageId: sent }, resource: null };
  await audited.does('message.delete_for_everyone', 'POST', '/messages/delete-for-everyone', everywhere);
}

/** Makes a template, changes it, sends it. */
export async function changeTemplates(audited: AuditedTenant, profileId: string): Promise<void> {
  const body = { name: 'Welcome', messageType: 'text', content: { text: 'Hello {{name}}' } };
  const { id } = (await audited.does<{ id: string }>('template.create', 'POST', '/templates', { body })).body;
  const copy = await audited.does<{ id: string }>('template.duplicate', 'POST', `/templates/${id}/duplicate`, {
    resource: id,
  });
  await audited.does('template.update', 'PUT', `/templates/${id}`, { body: { name: 'Hello' }, byKey: true });
  const send = { profileId, to: contact, templateId: id, variables: { name: 'Ada' } };
  const resource = ({ data }: Sent): string => data.messageId;
  await audited.does<Sent>('message.send', 'POST', '/messages/template', { body: send, resource });
  await audited.does('template.delete', 'DELETE', `/templates/${copy.body.id}`, { resource: copy.body.id });
}

/** Takes broadcasts through their life: to nobody else than one contact. */
export async function changeBroadcasts(audited: AuditedTenant, profileId: string): Promise<void> {
  const { id: contactId } = (await audited.tenant.call<{ id: string }>('POST', '/contacts', { phone: contact })).body;
  const recipients = { type: 'contacts', value: [contactId] };
  const body = { profileId, name: 'Sale', message: { type: 'text', text: 'Hello' }, recipients };
  const draft = async (): Promise<string> =>
    (await audited.does<{ id: string }>('broadcast.create', 'POST', '/broadcast', { body })).body.id;
  const does = (verb: string, id: string, more: object = {}) =>
    audited.does(`broadcast.${verb}`, 'POST', `/broadcast/${id}/${verb}`, { resource: id, ...more });
  const id = await draft();
  await audited.does('broadcast.update', 'PUT', `/broadcast/${id}`, { body: { name: 'Winter' }, resource: id });
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  await does('schedule', id, { body: { scheduledAt }, byKey: true });
  await does('cancel', id);
  await audited.does('broadcast.delete', 'DELETE', `/broadcast/${id}`, { resource: id });
  // A profile without a connection: it waits while it is paused and goes on.
  const unlinked = (await audited.tenant.call<{ id: string }>('POST', '/profiles', { name: 'Waiting' })).body.id;
  const waiting = { ...body, profileId: unlinked };
  const next = (await audited.does<{ id: string }>('broadcast.create', 'POST', '/broadcast', { body: waiting })).body
    .id;
  for (const verb of ['start', 'pause', 'resume', 'cancel']) await does(verb, next);
}

const priceListForm = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob(['item;price\nParcel;5\n'], { type: 'text/csv' }), 'prices.csv');
  return form;
};

/** Gives a profile something to know, and takes it away. */
export async function changeKnowledge(audited: AuditedTenant, profileId: string): Promise<void> {
  const path = `/ai/knowledge/${profileId}`;
  const body = { name: 'Delivery', content: 'We deliver within two days.' };
  const { id } = (await audited.does<{ id: string }>('knowledge.create', 'POST', `${path}/text`, { body })).body;
  const file = (
    await audited.does<{ id: string; name: string }>('knowledge.create', 'POST', `${path}/file`, {
      body: priceListForm({ language: 'english' }),
      byKey: true,
    })
  ).body;
  expect(file.name).toBe('prices.csv');
  const { url } = (
    await audited.does<{ url: string }>('media.upload', 'POST', '/uploads/media', { body: priceListForm({}) })
  ).body;
  await audited.does('knowledge.create', 'POST', `${path}/url`, { body: { url, name: 'By URL', language: 'german' } });
  const { items } = (
    await audited.tenant.call<{ items: object[] }>('POST', `${path}/search`, { query: 'parcel', limit: 2 })
  ).body;
  const content = 'item: Parcel\nprice: 5';
  expect(items).toHaveLength(2);
  expect(items).toContainEqual(expect.objectContaining({ documentId: file.id, documentName: 'prices.csv', content }));
  expect(items).toContainEqual(expect.objectContaining({ documentName: 'By URL', content }));
  await audited.does('knowledge.delete', 'DELETE', `/ai/knowledge/${id}`, { resource: id, byKey: true });
}

/** Makes flows, changes their order, and deletes one. */
export async function changeFlows(audited: AuditedTenant, profileId: string): Promise<void> {
  const action = { type: 'stop' };
  const body = { profileId, name: 'Prices', trigger: { type: 'keyword', value: ['price'] }, action };
  const { id } = (await audited.does<{ id: string }>('flow.create', 'POST', '/automation', { body, byKey: true })).body;
  await audited.does('flow.update', 'PUT', `/automation/${id}`, { body: { name: 'Offers' }, resource: id });
  await audited.does('flow.toggle', 'PUT', `/automation/${id}/toggle`, { resource: id });
  await audited.tenant.call('POST', '/automation', body);
  const order = await audited.tenant.call<{ items: { id: string }[] }>('GET', '/automation');
  const ids = order.body.items.map((one) => one.id).toReversed();
  await audited.does('flow.reorder', 'POST', '/automation/reorder', { body: { order: ids }, resource: null });
  await audited.does('flow.delete', 'DELETE', `/automation/${id}`, { resource: id });
}

/** Makes rules and quick replies, and lets URLs answer. */
export async function changeAutoReplies(audited: AuditedTenant, profileId: string): Promise<void> {
  const rule = { profileId, keywords: ['hours'], response: 'From 9 to 5' };
  const { id } = (
    await audited.does<{ id: string }>('auto_reply.create', 'POST', '/autoreply', { body: rule, byKey: true })
  ).body;
  await audited.does('auto_reply.update', 'PUT', `/autoreply/${id}`, {
    body: { response: 'From 9 to 6' },
    resource: id,
  });
  await audited.does('auto_reply.toggle', 'PUT', `/autoreply/${id}/toggle`, { resource: id });
  await audited.does('auto_reply.delete', 'DELETE', `/autoreply/${id}`, { resource: id });
  const reply = { shortcut: '/thanks', title: 'Thanks', message: 'Thank you' };
  const quick = await audited.does<{ id: string }>('quick_reply.create', 'POST', '/autoreply/quick-replies', {
    body: reply,
  });
  await audited.does('quick_reply.update', 'PUT', `/autoreply/quick-replies/${quick.body.id}`, {
    body: { title: 'Thank you' },
  });
  await audited.does('quick_reply.delete', 'DELETE', `/autoreply/quick-replies/${quick.body.id}`, {
    resource: quick.body.id,
  });
  const asked = { profileId, url: 'http://127.0.0.1:9/nobody', enabled: false };
  await audited.does('auto_reply.configure', 'POST', '/autoreply/webhook-reply', { body: asked, resource: null });
  const ai = { profileId, provider: 'openai', config: { model: 'small' }, enabled: false };
  await audited.does('auto_reply.configure_ai', 'POST', '/autoreply/ai-hook', { body: ai, resource: null });
}

/** Connects by the routes below an account, and has a delivery of a webhook repeated. */
export async function changeConnections(audited: AuditedTenant, profileId: string): Promise<void> {
  const { accountId, call } = audited.tenant;
  const path = `/accounts/${accountId}/profiles`;
  const made = await call<{ id: string }>('POST', '/profiles', { name: 'Unlinked' });
  for (const verb of ['connect', 'disconnect'])
    await audited.does(`profile.${verb}`, 'POST', `${path}/${made.body.id}/${verb}`, { resource: made.body.id });
  const hook = { url: 'http://127.0.0.1:9/nobody', events: ['message.sent'] };
  const { id } = (await call<{ id: string }>('POST', '/webhooks', hook)).body;
  await call('POST', '/messages/text', { profileId, to: contact, text: 'To be delivered' });
  const delivery = await eventually(async () => {
    const { body } = await call<{ items: { id: string }[] }>('GET', `/webhooks/${id}/deliveries`);
    return body.items[0]?.id;
  });
  const repeated = `/webhooks/${id}/deliveries/${delivery}/redeliver`;
  await audited.does('webhook.redeliver', 'POST', repeated, { resource: id });
}

/** Reads what came in, and takes in contacts. @param received lets something come in */
export async function changeWhatCameIn(
  audited: AuditedTenant,
  profileId: string,
  received: () => Promise<{ readonly chat: string; readonly conversation: string }>,
): Promise<void> {
  const unnamed = { resource: null };
  const csv = { body: { csv: 'phone,name\n4915187654395,Ben\n' }, ...unnamed };
  await audited.does('contact.import', 'POST', '/contacts/import/csv', csv);
  const { chat } = await received();
  const read = { body: { profileId, chatId: chat }, ...unnamed };
  await audited.does('message.mark_read', 'POST', '/messages/mark-read', read);
  const { conversation } = await received();
  await audited.does('conversation.read', 'PUT', `/conversations/${conversation}/read`, { resource: conversation });
}

/** A contact who writes to a profile at each call, and the messages that are unread then. */
export function hearing(world: World, audited: AuditedTenant, phone: string) {
  const chat = '4915187654397';
  type Conversations = { items: { id: string; jid: string; unreadCount: number }[] };
  return async (): Promise<{ chat: string; conversation: string }> => {
    await world.network.sendFromContact(chat, { to: phone, text: 'Hello to be read' });
    return eventually(async () => {
      const { body } = await audited.tenant.call<Conversations>('GET', '/conversations');
      const found = body.items.find(({ jid, unreadCount }) => jid.startsWith(chat) && unreadCount > 0);
      return found && { chat, conversation: found.id };
    });
  };
}
