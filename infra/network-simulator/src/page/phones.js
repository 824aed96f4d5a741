// Runs in the browser: the control API as buttons, and what the contact and the phone have said to each other.
const lookMs = 1_000;
const at = (id) => document.querySelector(`#${id}`);
const value = (id) => at(id).value.trim();
const numberOf = (id) => value(id).replaceAll(/\D/g, '');
const say = (text) => (at('said').textContent = text);

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.message ?? String(answer.status));
  return json;
}
const control = (method, path, body) => ask(method, `/control${path}`, body);

async function carryOut(work, done) {
  say('…');
  try {
    await work();
    say(done);
    await look();
  } catch (error) {
    say(error.message);
  }
}
function onSubmit(id, work, done) {
  at(id).addEventListener('submit', (event) => {
    event.preventDefault();
    void carryOut(work, done).then(() => at(id).reset());
  });
}
const onClick = (id, work, done) => at(id).addEventListener('click', () => void carryOut(work, done));

const phonePath = (verb) => `/phones/${numberOf('phone')}/${verb}`;
const contactPath = (verb = '') => `/contacts/${numberOf('contact')}${verb}`;
const write = (message) => control('POST', contactPath('/send'), { to: numberOf('phone'), ...message });

onSubmit('scan', () => control('POST', phonePath('scan'), { qr: value('qr') }), 'Linked.');
onSubmit(
  'scan-profile',
  () =>
    ask('POST', '/scan-profile', {
      phone: numberOf('phone'),
      profileId: value('profile'),
      credential: value('credential'),
    }),
  'Linked.',
);
onSubmit('type-code', () => control('POST', phonePath('pairing-code'), { code: value('code') }), 'Linked.');
onSubmit('write', () => write({ text: value('text') }), 'Sent.');
onClick('drop', () => control('POST', phonePath('drop'), {}), 'The connection is broken; it comes back by itself.');
onClick('unlink', () => control('POST', phonePath('unlink'), {}), 'Unlinked.');
onClick(
  'away',
  async () => {
    await control('PUT', '/network', { acceptConnections: false });
    await control('POST', phonePath('drop'), {}).catch(() => undefined);
  },
  'The network is away.',
);
onClick('back', () => control('PUT', '/network', { acceptConnections: true }), 'The network is back.');
onClick('offline', () => control('PUT', contactPath(), { receipts: 'none' }), 'No receipts from now on.');
onClick('online', () => control('PUT', contactPath(), { receipts: 'delivered' }), 'Receipts of delivery from now on.');
onClick('read', () => control('POST', contactPath('/read'), { from: numberOf('phone') }), 'Read.');

/** What came is shown with a button to react to it. */
function line({ own, text, at: when, id, note }) {
  const item = document.createElement('li');
  item.className = own ? 'own' : '';
  item.append(`${new Date(when).toLocaleTimeString()} ${text} ${note}`);
  if (own) return item;
  const react = Object.assign(document.createElement('button'), { textContent: '👍', title: 'React' });
  react.addEventListener(
    'click',
    () => void carryOut(() => write({ content: { type: 'reaction', target: id, emoji: '👍' } }), 'Reacted.'),
  );
  item.append(react);
  return item;
}

const textOf = ({ text, content }) =>
  text || `(${content?.type ?? 'message'}${content?.emoji ? ` ${content.emoji}` : ''})`;
let drawn = '';

async function look() {
  const [phone, contact] = [numberOf('phone'), numberOf('contact')];
  const { devices } = await control('GET', `/phones/${phone}`);
  const words = devices.map(({ device, connected }) => `${device} ${connected ? 'connected' : 'not connected'}`);
  at('devices').textContent = words.length === 0 ? 'No linked device.' : `Linked devices: ${words.join(', ')}`;
  const came = await control('GET', `/contacts/${contact}/messages?from=${phone}`);
  const wrote = await control('GET', `/contacts/${contact}/written?to=${phone}`);
  const lines = [
    ...came.map((message) => ({ ...message, own: false, text: textOf(message), note: '' })),
    ...wrote.map((message) => ({
      ...message,
      own: true,
      text: textOf(message),
      note: message.readAt ? '✓✓ read' : message.deliveredAt ? '✓✓' : '✓',
    })),
  ].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  const state = JSON.stringify([phone, contact, lines]);
  if (state === drawn) return;
  drawn = state;
  at('chat').replaceChildren(...lines.map(line));
}

async function keepLooking() {
  for (;;) {
    await look().catch((error) => say(error.message));
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}
void keepLooking();
