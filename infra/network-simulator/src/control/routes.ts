import type {
  ContactText,
  DropMoment,
  GroupChange,
  NewGroup,
  NewPhone,
  PastPlan,
  SimulatorControl,
  Text,
} from './contract.ts';
import type { StanzaNode } from './stanzas.ts';

/** A request taken apart: the number in the path, the JSON body, the query. */
export type Asked = { phone: string; body: Record<string, unknown>; query: URLSearchParams };
export type Route = (control: SimulatorControl, asked: Asked) => Promise<unknown>;

type Storm = Parameters<SimulatorControl['storm']>[1];
type Presence = Parameters<SimulatorControl['showPresence']>[1];
type Typing = Parameters<SimulatorControl['showTyping']>[1];

const optional = (value: string | null): string | undefined => value ?? undefined;

/** Method and path under /control; `:phone` (or a group's address in its place) is the only parameter. */
export const ROUTES: Record<string, Route> = {
  'POST /phones': (control, asked) => control.createPhone(asked.body as NewPhone),
  'GET /phones/:phone': (control, { phone }) => control.phone(phone),
  'POST /phones/:phone/scan': (control, { phone, body }) => control.scan(phone, String(body['qr'])),
  'POST /phones/:phone/pairing-code': (control, { phone, body }) =>
    control.enterPairingCode(phone, String(body['code'])),
  'POST /phones/:phone/unlink': (control, { phone }) => control.unlink(phone),
  'POST /phones/:phone/conflict': (control, { phone }) => control.conflict(phone),
  'POST /phones/:phone/drop': (control, asked) =>
    control.drop(asked.phone, asked.body['when'] as DropMoment | undefined),
  'POST /phones/:phone/send': (control, asked) => control.sendFromPhone(asked.phone, asked.body as Text),
  'POST /contacts/:phone/send': (control, asked) => control.sendFromContact(asked.phone, asked.body as ContactText),
  'POST /phones/:phone/past': (control, asked) => control.givePast(asked.phone, asked.body as PastPlan),
  'POST /phones/:phone/names': (control, { phone, body }) =>
    control.saveName(phone, { contact: String(body['contact']), name: body['name'] as string }),
  'POST /phones/:phone/stanza': (control, { phone, body }) =>
    control.deliverStanza(phone, { node: body['node'] as StanzaNode }),
  'POST /alias': (control, { body }) => control.alias(body as Record<string, string>),
  'POST /groups': (control, { body }) => control.createGroup(body as NewGroup),
  'GET /groups/:phone': (control, { phone }) => control.group(phone),
  'POST /groups/:phone/change': (control, { phone, body }) => control.changeGroup(phone, body as GroupChange),
  'POST /contacts/:phone/join': (control, { phone, body }) => control.joinGroup(phone, String(body['code'])),
  'POST /contacts/:phone/storm': (control, asked) => control.storm(asked.phone, asked.body as Storm),
  'POST /contacts/:phone/typing': (control, asked) => control.showTyping(asked.phone, asked.body as Typing),
  'POST /contacts/:phone/presence': (control, asked) => control.showPresence(asked.phone, asked.body as Presence),
  'GET /contacts/:phone/typing': (control, { phone, query }) => {
    const from = optional(query.get('from'));
    return control.typing(phone, from === undefined ? {} : { from });
  },
  'POST /contacts/:phone/read': (control, asked) => control.read(asked.phone, asked.body),
  'POST /pairing/refresh': (control, { body }) => control.refreshPairing(String(body['qr'])),
  'PUT /contacts/:phone': (control, asked) => control.configureContact(asked.phone, asked.body),
  'GET /contacts/:phone/messages': (control, { phone, query }) => {
    const from = optional(query.get('from'));
    return control.messages(phone, from === undefined ? {} : { from });
  },
  'GET /contacts/:phone/written': (control, { phone, query }) => {
    const to = optional(query.get('to'));
    return control.written(phone, to === undefined ? {} : { to });
  },
  'GET /contacts/:phone/wait': (control, { phone, query }) => {
    const timeoutMs = query.has('timeoutMs') ? Number(query.get('timeoutMs')) : undefined;
    return control.waitForMessages(phone, Number(query.get('count')), timeoutMs, optional(query.get('from')));
  },
  'PUT /network': (control, asked) => control.configureNetwork(asked.body),
  'GET /statistics': (control) => control.statistics(),
  'POST /reset': (control) => control.reset(),
};
