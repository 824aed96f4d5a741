// Runs in the browser of whoever links a phone. It asks for what is so now and waits for news; nothing is stored.
import { texts } from './texts.js';

const token = location.hash.slice(1);
const waitSeconds = 25;
const awayMs = 3_000;
const returnMs = 3_000;

const at = (id) => document.querySelector(`#${id}`);
const show = (id, isShown) => (at(id).hidden = !isShown);
const say = (id, text) => {
  if (at(id).textContent !== text) at(id).textContent = text;
};

let words = texts.en;
/** What was answered last. */
let state;
/** Milliseconds of `performance.now()`. */
let endsAt = Infinity;
let pairingCode;
/** Why the last request for a connection or a code was refused: it stays until the next one. */
let refusal;
/** Whether somebody asked for the connection since the page was opened. */
let hasBegun = false;
let isOver = false;

class Answered extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, body) {
  const answer = await fetch(`api/v1/link-pages/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    body: JSON.stringify({ token, ...body }),
  });
  const json = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Answered(answer.status, json.error?.message ?? String(answer.status));
  return json;
}

function speak(language) {
  const wanted = [language, ...navigator.languages].map((one) => one?.slice(0, 2).toLowerCase());
  const found = wanted.find((one) => one !== undefined && Object.hasOwn(texts, one)) ?? 'en';
  words = texts[found];
  document.documentElement.lang = found;
  document.title = words.title;
  say('title', words.title);
  at('code').alt = words.codeOf;
  at('steps').replaceChildren(
    ...words.steps.map((step) => Object.assign(document.createElement('li'), { textContent: step })),
  );
  say('phone-label', words.phone);
  say('ask', words.ask);
  say('again', words.again);
  say('return', words.back);
  say('pairing-steps', words.typed);
}

/** Of a connection that somebody has to begin anew. */
const isDown = (status) => ['disconnected', 'logged_out', 'failed'].includes(status);

function stateText({ status, statusReason, qrCode, returnUrl }) {
  if (status === 'connected') return returnUrl === null ? words.connected : words.returning;
  if (isDown(status)) return words.reasons[statusReason] ?? words.reasons.other;
  if (status === 'reconnecting') return words.reconnecting;
  if (pairingCode !== undefined) return '';
  return qrCode === null ? words.preparing : words.scan;
}

function draw() {
  const { name, status, qrCode, returnUrl } = state;
  if (status === 'connected' || isDown(status)) pairingCode = undefined;
  const isTyped = pairingCode !== undefined;
  const isOpen = status === 'connecting' || status === 'awaiting_scan';
  document.body.dataset.status = status;
  say('name', name);
  if (status === 'connected') refusal = undefined;
  say('state', refusal ?? (isDown(status) && !hasBegun ? words.preparing : stateText(state)));
  show('scan', isOpen && qrCode !== null && !isTyped);
  if (qrCode !== null && at('code').src !== qrCode) at('code').src = qrCode;
  show('typed', isOpen && isTyped);
  say('pairing', isTyped ? pairingCode.replace(/^(.{4})(.{4})$/, '$1-$2') : '');
  show('pair', isOpen && !isTyped);
  show('again', isDown(status) && hasBegun);
  show('return', status === 'connected' && returnUrl !== null);
  if (status !== 'connected' || returnUrl === null) return;
  at('return').href = returnUrl;
  isOver = true;
  setTimeout(() => location.replace(returnUrl), returnMs);
}

function end() {
  isOver = true;
  document.body.dataset.status = 'ended';
  for (const id of ['scan', 'typed', 'pair', 'again', 'return']) show(id, false);
  at('code').removeAttribute('src');
  say('left', '');
  say('state', words.ended);
}

/** @returns whether it was taken */
async function begin(body = {}) {
  try {
    const answer = await ask('connect', body);
    pairingCode = answer.pairingCode;
    refusal = undefined;
    return true;
  } catch (error) {
    if (error.status === 404) {
      end();
      return false;
    }
    if (error.status === 429) refusal = words.tooMany;
    else if (error instanceof Answered) refusal = words.refused.replace('{reason}', error.message);
    else refusal = words.away;
    say('state', refusal);
    return false;
  } finally {
    hasBegun = true;
  }
}

async function follow() {
  while (!isOver) {
    try {
      state = await ask('state', state === undefined ? {} : { seen: state.version, wait: waitSeconds });
      if (isOver) return;
      endsAt = performance.now() + state.expiresInMs;
      speak(state.language);
      draw();
      countDown();
      if (isDown(state.status) && !hasBegun && !(await begin())) show('again', !isOver);
    } catch (error) {
      if (error.status === 404) return end();
      say('state', words.away);
      await new Promise((resolve) => setTimeout(resolve, awayMs));
    }
  }
}

function countDown() {
  if (document.body.dataset.status === 'ended' || endsAt === Infinity) return;
  const seconds = Math.ceil((endsAt - performance.now()) / 1000);
  if (seconds <= 0) return end();
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (number) => String(number).padStart(2, '0');
  const time = `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(seconds % 60)}`;
  say('left', state.status === 'connected' ? '' : words.left.replace('{time}', time));
}

async function tryAgain() {
  show('again', false);
  say('state', words.preparing);
  if (!(await begin())) show('again', !isOver);
}

async function askForCode() {
  at('ask').disabled = true;
  if (await begin({ phoneNumber: at('phone').value.trim() })) draw();
  at('ask').disabled = false;
}

at('again').addEventListener('click', () => void tryAgain());
at('pair').addEventListener('submit', (event) => {
  event.preventDefault();
  void askForCode();
});

speak();
say('state', words.preparing);
setInterval(countDown, 1000);
void follow();
