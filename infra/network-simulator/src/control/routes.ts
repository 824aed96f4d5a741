import type { ContactText, DropMoment, NewPhone, ReadChoice, SimulatorControl, Text } from './contract.ts';

/** A request taken apart: the number in the path, the JSON body, the query. */
export type Asked = { phone: string; body: Record<string, unknown>; query: URLSearchParams };
export type Route = (control: SimulatorControl, asked: Asked) => Promise<unknown>;

const optional = (value: string | null): string | undefined => value ?? undefined;
const bodyOf = <Body>({ body }: Asked): Body => body as Body;

/** Method and path under /control; `:phone` is the only parameter. */
export const ROUTES: Record<string, Route> = {
  'POST /phones': (control, asked) => control.createPhone(bodyOf<NewPhone>(asked)),
  'GET /phones/:phone': (control, { phone }) => control.phone(phone),
  'POST /phones/:phone/scan': (control, { phone, body }) => control.scan(phone, String(body['qr'])),
  'POST /phones/:phone/pairing-code': (control, { phone, body }) => control.enterPairingCode(phone, String(body['code'])),
  'POST /phones/:phone/unlink': (control, { phone }) => control.unlink(phone),
  'POST /phones/:phone/conflict': (control, { phone }) => control.conflict(phone),
  'POST /phones/:phone/drop': (control, asked) => control.drop(asked.phone, bodyOf<{ when?: DropMoment }>(asked).when),
  'POST /phones/:phone/send': (control, asked) => control.sendFromPhone(asked.phone, bodyOf<Text>(asked)),
  'POST /contacts/:phone/send': (control, asked) => control.sendFromContact(asked.phone, bodyOf<ContactText>(asked)),
  'POST /contacts/:phone/read': (control, asked) => control.read(asked.phone, bodyOf<ReadChoice>(asked)),
  'PUT /contacts/:phone': (control, asked) => control.configureContact(asked.phone, bodyOf(asked)),
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
  'PUT /network': (control, asked) => control.configureNetwork(bodyOf(asked)),
  'GET /statistics': (control) => control.statistics(),
  'POST /reset': (control) => control.reset(),
};
