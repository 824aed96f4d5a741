// Asks a gateway whether all is there. With a simulated network beside it: registers, links a profile, sends, and waits until it is decrypted.
const { GATEWAY_URL: gateway, SIMULATOR_URL: simulator } = process.env;
const until = Date.now() + 120_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(url, { token, ...options } = {}) {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: body === undefined ? 'GET' : 'POST', ...options, body, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${options.method ?? 'ask'} ${url}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function patiently(what, attempt) {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > until) throw error;
      console.log(`waiting for ${what}: ${error.message}`);
      await pause(1000);
    }
  }
}

const { checks } = await patiently('readiness', () => ask(`${gateway}/api/v1/health/ready`));
console.log('ready:', JSON.stringify(checks));
if (simulator === undefined) process.exit(0);

const api = `${gateway}/api/v1`;
const name = `helm-test-${Date.now()}`;
const account = { email: `${name}@example.com`, password: `${name} correct horse`, name: 'helm test' };
const { accessToken: token } = await patiently('registration', () => ask(`${api}/auth/register`, { body: account }));
try {
  const { id } = await ask(`${api}/profiles`, { token, body: { name } });
  await ask(`${api}/profiles/${id}/connect`, { token, method: 'POST' });
  const { qr } = await patiently('the QR code', () => ask(`${api}/profiles/${id}/qr?wait=30`, { token }));
  const digits = String(Date.now()).slice(-10);
  await ask(`${simulator}/control/phones/4915${digits}/scan`, { body: { qr } });
  await ask(`${api}/profiles/${id}/status?wait=60&until=connected`, { token });
  await ask(`${api}/messages/text`, { token, body: { profileId: id, to: `4916${digits}`, text: 'Hello' } });
  const [decrypted] = await ask(`${simulator}/control/contacts/4916${digits}/wait?count=1`);
  console.log('decrypted:', decrypted?.text ?? JSON.stringify(decrypted));
} finally {
  await ask(`${api}/account/delete`, { token, method: 'DELETE', body: { password: account.password } });
}
console.log('one message was sent and decrypted');
