// A receiver of webhooks: verifies both signatures, knows repeats, answers at once and works afterwards.
//
//   PORT=4000 SECRET=<secret of the webhook> node docs/examples/webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';

const { PORT = '4000', SECRET } = process.env;
if (!SECRET) throw new Error('SECRET is missing: the secret that the webhook was made with.');

const same = (given, expected) => {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** `X-Service-Signature: sha256=<hex>`, keyed with the secret as it is. */
const hasServiceSignature = (headers, body) =>
  same(headers['x-service-signature'], `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`);

/** The trio of Standard Webhooks: nothing that is older or newer than five minutes. */
const hasStandardSignature = (headers, body, now = Date.now() / 1000) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(now - Number(timestamp)) <= 300)) return false;
  const key = SECRET.startsWith('whsec_') ? Buffer.from(SECRET.slice('whsec_'.length), 'base64') : SECRET;
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  return signatures.split(' ').some((signature) => same(signature, expected)); // two while a secret is being changed
};

/** Ids of the last events. Where losing them matters they belong into your database, in the transaction of the work. */
const known = new Set();
const isKnown = (id) => {
  if (known.has(id)) return true;
  known.add(id);
  if (known.size > 10_000) known.delete(known.values().next().value);
  return false;
};

async function handle({ event, data }) {
  if (event === 'message.received') console.log(`${data.pushName ?? data.from} writes: ${data.body ?? data.type}`);
  else console.log(event, JSON.stringify(data));
}

const app = express();
// The signatures are over the bytes as they came: nothing may parse them before.
app.post('/hook', express.raw({ type: 'application/json', limit: '1mb' }), (request, response) => {
  const { headers, body } = request;
  // One of the two is enough; a receiver for this gateway alone needs no more than the first.
  if (!hasServiceSignature(headers, body) || !hasStandardSignature(headers, body)) return response.sendStatus(401);
  response.sendStatus(204);
  if (isKnown(headers['webhook-id'])) return undefined;
  return handle(JSON.parse(body)).catch((error) => console.error('Not handled:', error));
});
app.listen(Number(PORT), () => console.log(`Listening on http://localhost:${PORT}/hook`));
