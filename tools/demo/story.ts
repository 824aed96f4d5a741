import { randomBytes } from 'node:crypto';
import type { SimulatorControl } from '@messaging-gateway/network-simulator';
import type { GatewayProcess, ReceivedDelivery, WebhookReceiver } from '@messaging-gateway/testing/running';
import qrcode from 'qrcode';
import { eventually, say, tellCall } from './narrator.ts';

const phone = '4915112345678';
const contact = '4915187654321';

interface Story {
  readonly gateway: GatewayProcess;
  readonly network: SimulatorControl;
  readonly receiver: WebhookReceiver;
  readonly token: string;
  readonly profileId: string;
}

/** The main job: from registration to an answer at a signed webhook. */
export async function tellStory(
  gateway: GatewayProcess,
  network: SimulatorControl,
  receiver: WebhookReceiver,
  secret: string,
): Promise<void> {
  const { accessToken: token } = await tellCall<{ accessToken: string }>(gateway, 201, 'POST', '/auth/register', {
    email: 'ada@example.com',
    password: `demo-${randomBytes(9).toString('base64url')}`,
    name: 'Ada',
  });
  const { id: profileId } = await tellCall<{ id: string }>(gateway, 201, 'POST', '/profiles', { name: 'Sales' }, token);
  const story = { gateway, network, receiver, token, profileId };
  await tellCall(gateway, 201, 'POST', '/webhooks', { url: receiver.url, secret, events: ['*'] }, token);
  await link(story);
  await send(story);
  await answer(story);
}

async function link({ gateway, network, receiver, token, profileId }: Story): Promise<void> {
  const { items } = await tellCall<{ items: { id: string }[] }>(gateway, 200, 'GET', '/accounts', undefined, token);
  const route = `/accounts/${items[0]?.id}/profiles/${profileId}`;
  await tellCall(gateway, 202, 'POST', `${route}/connect`, undefined, token);
  const qr = await eventually('The QR code', async () => {
    const asked = await gateway.call<{ qr: string }>('GET', `${route}/qr`, undefined, { credential: token });
    return asked.status === 200 ? asked.body.qr : undefined;
  });
  say(`GET /api/v1${route}/qr`, '');
  console.log(await qrcode.toString(qr, { type: 'terminal', small: true }));
  await network.createPhone({ phone, pushName: 'Sales' });
  await network.scan(phone, qr);
  say('Scanned', `by the simulated phone +${phone}`);
  showDelivery(await receiver.waitFor(({ event }) => event === 'connection.ready'));
}

async function send({ gateway, network, receiver, token, profileId }: Story): Promise<void> {
  await network.configureContact(contact, { receipts: 'read' });
  const text = 'Hello from the gateway';
  const sent = await tellCall<{ data: { messageId: string } }>(
    gateway,
    200,
    'POST',
    '/messages/text',
    { profileId, to: contact, text },
    token,
  );
  const [shown] = await network.waitForMessages(contact, 1);
  say('Decrypted', `by the simulated contact +${contact}: "${shown?.text}"`);
  if (shown?.text !== text) throw new Error('The contact decrypted another text.');
  const told = (status: string): Promise<ReceivedDelivery> =>
    receiver.waitFor(({ event, data }) => event === 'message.status' && data['status'] === status);
  showDelivery(await told('delivered'));
  const read = await told('read');
  showDelivery(read);
  const record = await tellCall<{ status: string }>(
    gateway,
    200,
    'GET',
    `/messages/${sent.data.messageId}?after=${read.id}`,
    undefined,
    token,
  );
  say('Message record', `status ${record.status}`);
  if (record.status !== 'read') throw new Error('The record is behind the event that told of it.');
}

async function answer({ network, receiver }: Story): Promise<void> {
  await network.sendFromContact(contact, { to: phone, text: 'Hello back' });
  say('Reply', `sent by the simulated contact +${contact}`);
  const delivery = await receiver.waitFor(({ event }) => event === 'message.received');
  showDelivery(delivery);
  if (delivery.data['body'] !== 'Hello back') throw new Error('The webhook told another text.');
}

function showDelivery({ event, data, signatureValid }: ReceivedDelivery): void {
  if (!signatureValid) throw new Error(`The signature of ${event} is wrong.`);
  say('Webhook', `${event} (signature valid) ${JSON.stringify(data)}`);
}
