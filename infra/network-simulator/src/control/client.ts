import type { SimulatorControl } from './contract.ts';
import { Refusal } from './refusal.ts';

type Parameters = Record<string, string | number | undefined>;

/** The control API of a simulator in another process. @param baseUrl the simulator's `control` address */
export function simulatorControl(baseUrl: string): SimulatorControl {
  const ask = <Outcome>(method: string, path: string, body?: object): Promise<Outcome> =>
    request(`${baseUrl}/control${path}`, method, body);
  const get = <Outcome>(path: string, query: Parameters = {}): Promise<Outcome> =>
    ask('GET', `${path}${search(query)}`);
  const post = <Outcome>(path: string, body: object = {}): Promise<Outcome> => ask('POST', path, body);
  return {
    createPhone: (phone) => post('/phones', phone),
    phone: (phone) => get(`/phones/${phone}`),
    scan: (phone, qr) => post(`/phones/${phone}/scan`, { qr }),
    enterPairingCode: (phone, code) => post(`/phones/${phone}/pairing-code`, { code }),
    unlink: (phone) => post(`/phones/${phone}/unlink`),
    conflict: (phone) => post(`/phones/${phone}/conflict`),
    drop: (phone, when) => post(`/phones/${phone}/drop`, { when }),
    sendFromPhone: (phone, text) => post(`/phones/${phone}/send`, text),
    sendFromContact: (contact, text) => post(`/contacts/${contact}/send`, text),
    givePast: (phone, plan) => post(`/phones/${phone}/past`, plan),
    saveName: (phone, saved) => post(`/phones/${phone}/names`, saved),
    deliverStanza: (phone, stanza) => post(`/phones/${phone}/stanza`, stanza),
    alias: (canonicalByNumber) => post('/alias', canonicalByNumber),
    createGroup: (group) => post('/groups', group),
    group: (id) => get(`/groups/${id}`),
    changeGroup: (id, change) => post(`/groups/${id}/change`, change),
    joinGroup: (contact, code) => post(`/contacts/${contact}/join`, { code }),
    storm: (contact, storm) => post(`/contacts/${contact}/storm`, storm),
    showTyping: (contact, typing) => post(`/contacts/${contact}/typing`, typing),
    showPresence: (contact, presence) => post(`/contacts/${contact}/presence`, presence),
    typing: (contact, choice = {}) => get(`/contacts/${contact}/typing`, choice),
    messages: (contact, choice = {}) => get(`/contacts/${contact}/messages`, choice),
    written: (contact, choice = {}) => get(`/contacts/${contact}/written`, choice),
    read: (contact, choice = {}) => post(`/contacts/${contact}/read`, choice),
    refreshPairing: (qr) => post('/pairing/refresh', { qr }),
    configureContact: (contact, behaviour) => ask('PUT', `/contacts/${contact}`, behaviour),
    configureNetwork: (settings) => ask('PUT', '/network', settings),
    statistics: () => get('/statistics'),
    reset: () => post('/reset'),
    waitForMessages: (contact, count, timeoutMs, from) => get(`/contacts/${contact}/wait`, { count, timeoutMs, from }),
  };
}

async function request<Outcome>(url: string, method: string, body?: object): Promise<Outcome> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(url, { method, ...sent });
  const outcome: unknown = await response.json();
  if (response.ok) return outcome as Outcome;
  const { code, message } = outcome as { code: string; message: string };
  throw new Refusal(code, message);
}

function search(query: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}
