import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SimulatorControl } from '../control/contract.ts';

const files: Readonly<Record<string, readonly [string, string]>> = {
  '/': ['phones.html', 'text/html; charset=utf-8'],
  '/phones.js': ['phones.js', 'text/javascript; charset=utf-8'],
  '/phones.css': ['phones.css', 'text/css; charset=utf-8'],
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'";
const largestBody = 10_000;

/** Parts that the page needs beside the control API. */
export interface PhonesPage {
  readonly control: SimulatorControl;
  /** Base address of the gateway beside the simulator, for scanning by profile. */
  readonly gateway: string | undefined;
}

/** Serves the page of simulated phones, and leaves every other request to the control API. */
export function withPhonesPage(page: PhonesPage, control: RequestListener): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://simulator');
    const file = request.method === 'GET' ? files[pathname] : undefined;
    if (file !== undefined) return send(file, response);
    if (request.method === 'POST' && pathname === '/scan-profile') return void scanProfile(page, request, response);
    control(request, response);
  };
}

function send([name, type]: readonly [string, string], response: ServerResponse): void {
  const headers = { 'content-type': type, 'content-security-policy': policy, 'cache-control': 'no-store' };
  response.writeHead(200, headers).end(readFileSync(new URL(name, import.meta.url)));
}

/** Asks the gateway for the QR code of a profile, with the credential of whoever looks at the page, and scans it. */
async function scanProfile({ control, gateway }: PhonesPage, request: IncomingMessage, response: ServerResponse) {
  try {
    const { phone, profileId, credential } = await bodyOf(request);
    if (gateway === undefined) throw new Error('No gateway is known here: paste the text of the QR code.');
    const isKey = credential?.startsWith('gw_') === true;
    const headers = isKey ? { 'x-api-key': credential } : { authorization: `Bearer ${credential}` };
    const url = `${gateway}/api/v1/profiles/${encodeURIComponent(profileId ?? '')}/qr?wait=30`;
    const answer = await fetch(url, { headers: { ...headers, accept: 'application/json' } });
    const shown = (await answer.json()) as { qr?: string; error?: { message: string } };
    if (shown.qr === undefined) throw new Error(shown.error?.message ?? `The gateway answered ${answer.status}.`);
    reply(response, 200, await control.scan(phone ?? '', shown.qr));
  } catch (error) {
    reply(response, 422, { message: error instanceof Error ? error.message : String(error) });
  }
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, string | undefined>>> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += part;
    if (text.length > largestBody) throw new Error('The body is too large.');
  }
  return JSON.parse(text) as Record<string, string>;
}

const reply = (response: ServerResponse, status: number, body: unknown): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    .end(JSON.stringify(body));
