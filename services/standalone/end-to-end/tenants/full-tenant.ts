import { eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import type { Tenant, WebhookReceiver } from '@messaging-gateway/testing';
import type { World } from '../world.ts';

/** Ids of what a tenant, or one profile of it, has of everything. */
export interface Belongings {
  readonly organization: string;
  readonly user: string;
  readonly session: string;
  readonly account: string;
  readonly workspace: string;
  readonly member: string;
  readonly role: string;
  readonly apiKey: string;
  readonly upload: string;
  readonly suppression: string;
  readonly notification: string;
  readonly profile: string;
  readonly linkPage: string;
  readonly message: string;
  readonly conversation: string;
  readonly contact: string;
  readonly scheduled: string;
  readonly batch: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly template: string;
  readonly broadcast: string;
  readonly knowledge: string;
  readonly flow: string;
  readonly rule: string;
  readonly quickReply: string;
  readonly run: string;
}

/** A tenant with data everywhere; all its texts and names hold the mark. */
export interface FullTenant extends Tenant {
  readonly mark: string;
  readonly phone: string;
  /** Of somebody who writes to the profile. */
  readonly contactPhone: string;
  readonly receiver: WebhookReceiver;
  readonly ids: Belongings;
}

type Call = Tenant['call'];
interface WithId {
  readonly id: string;
}

async function made<Body = WithId>(call: Call, path: string, body: unknown): Promise<Body> {
  const answer = await call<Body>('POST', path, body);
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const firstOf = async (call: Call, path: string): Promise<string> =>
  eventually(async () => {
    const { body } = await call<{ items?: WithId[] } | WithId[]>('GET', path);
    return (Array.isArray(body) ? body : (body.items ?? []))[0]?.id;
  });

/** Registers a tenant and fills it. @param number two digits that its phones end with */
export async function fullTenant(world: World, mark: string, number: string): Promise<FullTenant> {
  const tenant = await register(world);
  const { call } = tenant;
  const me = (await call<{ id: string; organizationId: string }>('GET', '/auth/me')).body;
  await call('PUT', '/organizations/current', { name: mark });
  const receiver = await startWebhookReceiver(`secret of ${mark}`);
  const ofProfile = await fullProfile(world, tenant, { mark, number, receiver });
  const workspace = (await made(call, '/workspaces', { name: mark })).id;
  await made(call, '/accounts', { name: mark, workspaceId: workspace });
  const role = (await made(call, '/rbac/roles', { name: mark, permissions: ['message:read'] })).id;
  const email = `${mark.toLowerCase()}@example.com`;
  return {
    ...tenant,
    mark,
    receiver,
    phone: `49151200001${number}`,
    contactPhone: `49151200002${number}`,
    ids: {
      ...ofProfile,
      organization: me.organizationId,
      user: me.id,
      session: await firstOf(call, '/auth/sessions'),
      workspace,
      role,
      account: tenant.accountId,
      member: (await made(call, '/organizations/members', { email, name: mark, role: mark })).id,
      apiKey: (await made(call, '/api-keys', { name: mark })).id,
      upload: await upload(world, tenant, mark),
      notification: await firstOf(call, '/notifications?type=message'),
      suppression: (await made(call, '/suppressions', { phone: `49151200004${number}`, reason: mark })).id,
    },
  };
}

export type OfProfile = Pick<
  Belongings,
  | 'profile'
  | 'linkPage'
  | 'message'
  | 'conversation'
  | 'contact'
  | 'scheduled'
  | 'batch'
  | 'webhook'
  | 'delivery'
  | 'template'
  | 'broadcast'
  | 'knowledge'
  | 'flow'
  | 'run'
  | 'rule'
  | 'quickReply'
>;

/** Links a profile, and gives it messages both ways, a contact, a schedule, a batch and a webhook of its own. */
export async function fullProfile(
  world: World,
  tenant: Tenant,
  { mark, number, receiver }: { mark: string; number: string; receiver: WebhookReceiver },
): Promise<OfProfile> {
  const { call } = tenant;
  const [phone, to] = [`49151200001${number}`, `49151200002${number}`];
  const { profileId } = await linkProfile(world, tenant, phone, { name: mark });
  const hook = { url: receiver.url, secret: `secret of ${mark}`, events: ['*'], profileIds: [profileId] };
  const webhook = (await made(call, '/webhooks', hook)).id;
  const flow = (await made(call, '/automation', { profileId, ...flowOf(mark) })).id;
  const sent = await made<{ data: { messageId: string } }>(call, '/messages/text', { profileId, to, text: mark });
  await world.network.sendFromContact(to, { to: phone, text: mark });
  const received = await receiver.waitFor(
    ({ event, data, profileId: of }) => event === 'message.received' && of === profileId && data['body'] === mark,
  );
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  const later = { profileId, to, type: 'text', content: { text: mark }, scheduledAt };
  const messages = [{ chatId: `${to}@c.us`, type: 'text', content: { text: mark } }];
  const { batchId } = await made<{ batchId: string }>(call, '/bulk/send', { profileId, messages });
  await receiver.waitFor(({ event, profileId: of }) => event === 'bulk.completed' && of === profileId);
  await made(call, '/autoreply/webhook-reply', { profileId, url: receiver.url, enabled: false });
  await made(call, '/autoreply/ai-hook', {
    profileId,
    provider: 'custom',
    config: { url: receiver.url },
    enabled: false,
  });
  return {
    profile: profileId,
    linkPage: (await made(call, `/profiles/${profileId}/link-page`, { expiresInMinutes: 60 })).id,
    message: sent.data.messageId,
    conversation: String(received.data['conversationId']),
    contact: (await made(call, '/contacts', { profileId, phone: `49151200003${number}`, name: mark })).id,
    scheduled: (await made(call, '/messages/schedule', later)).id,
    batch: batchId,
    webhook,
    template: (await made(call, '/templates', { profileId, ...templateOf(mark, number) })).id,
    broadcast: (await made(call, '/broadcast', { profileId, ...broadcastOf(mark) })).id,
    knowledge: (await made(call, `/ai/knowledge/${profileId}/text`, { name: mark, content: mark })).id,
    flow,
    rule: (await made(call, '/autoreply', { profileId, keywords: [`rule of ${mark}`], response: mark })).id,
    quickReply: (
      await made(call, '/autoreply/quick-replies', { profileId, shortcut: number, title: mark, message: mark })
    ).id,
    run: await firstOf(call, `/automation/${flow}/runs`),
    delivery: await firstOf(call, `/webhooks/${webhook}/deliveries`),
  };
}

const broadcastOf = (mark: string): object => ({
  name: mark,
  message: { type: 'text', text: mark },
  recipients: { type: 'all' },
});

/** Set off by what is received. */
const flowOf = (mark: string): object => ({
  name: mark,
  trigger: { type: 'keyword', value: [mark] },
  action: { type: 'stop' },
});

/** Of a name that the organization has once. */
const templateOf = (mark: string, number: string): object => ({
  name: `${mark} ${number}`,
  messageType: 'text',
  content: { text: `${mark} {{name|friend}}` },
});

async function upload({ gateway }: World, { token }: Tenant, text: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([text]), `${text}.txt`);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${gateway.host}/api/v1/uploads/media`, { method: 'POST', headers, body });
  return ((await answer.json()) as WithId).id;
}
