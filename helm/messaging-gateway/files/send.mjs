// Asks a gateway whether all is there. With a simulated network beside it: registers, links a profile, sends, and waits until it is decrypted.
// The last line says what could not be done, and why.
const { GATEWAY_URL: gateway, SIMULATOR_URL: simulator, PATIENCE_SECONDS: patience = '120' } = process.env;
const until = Date.now() + Number(patience) * 1000;
const left = () => Math.max(1, Math.min(60, Math.ceil((until - Date.now()) / 1000)));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(url, { token, ...options } = {}) {
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: body === undefined ? 'GET' : 'POST', ...options, body, headers }).catch(
    (error) => {
      throw new Error(`${url}: ${error.cause?.message ?? error.message}`, { cause: error });
    },
  );
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

/** One step; its name stands before what it fails with. */
async function step(what, work) {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what}: ${error.message}`, { cause: error });
  }
}

async function sendOne() {
  const api = `${gateway}/api/v1`;
  const name = `helm-test-${Date.now()}`;
  const account = { email: `${name}@example.com`, password: `${name} correct horse`, name: 'helm test' };
  const register = () => ask(`${api}/auth/register`, { body: account });
  const { accessToken: token } = await step('nobody can register', () => patiently('registration', register));
  try {
    const { id } = await step('no profile can be made', () => ask(`${api}/profiles`, { token, body: { name } }));
    await step('the profile cannot connect', () => ask(`${api}/profiles/${id}/connect`, { token, method: 'POST' }));
    const digits = String(Date.now()).slice(-10);
    await step('the profile cannot be linked', async () => {
      const { qr } = await patiently('the QR code', () => ask(`${api}/profiles/${id}/qr?wait=${left()}`, { token }));
      await ask(`${simulator}/control/phones/4915${digits}/scan`, { body: { qr } });
      const { status } = await ask(`${api}/profiles/${id}/status?wait=${left()}&until=connected`, { token });
      if (status !== 'connected') throw new Error(`its status is ${status}`);
    });
    const message = { profileId: id, to: `4916${digits}`, text: 'Hello' };
    await step('the message cannot be sent', () => ask(`${api}/messages/text`, { token, body: message }));
    const received = () =>
      ask(`${simulator}/control/contacts/4916${digits}/wait?count=1&timeoutMs=${left() * 1000}`, { method: 'GET' });
    const [decrypted] = await step('the message does not arrive', received);
    console.log('decrypted:', decrypted?.text ?? JSON.stringify(decrypted));
  } finally {
    const away = { token, method: 'DELETE', body: { password: account.password } };
    await ask(`${api}/account/delete`, away).catch((error) => console.log('the account is left:', error.message));
  }
}

try {
  const { checks } = await step('the gateway is not ready', () =>
    patiently('readiness', () => ask(`${gateway}/api/v1/health/ready`)),
  );
  console.log('ready:', JSON.stringify(checks));
  if (simulator !== undefined) {
    await sendOne();
    console.log('one message was sent and decrypted');
  }
} catch (error) {
  console.log(`FAILED: ${error.message}`);
  process.exitCode = 1;
}
