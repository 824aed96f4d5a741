import { eventually, type Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

/** Parts of an installation that broadcasts are tried with. */
interface BroadcastingWorld {
  readonly network: Pick<World['network'], 'messages'>;
  /** For what comes as a file. */
  readonly gateway?: { readonly host: string };
}

interface Stats {
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly delivered: number;
  readonly read: number;
  readonly pending: number;
  readonly skipped: number;
  readonly cancelled: number;
}

export interface Broadcast {
  readonly id: string;
  readonly status: string;
  readonly pausedReason: string | null;
  readonly stats: Stats;
  readonly forecast: { readonly remaining: number; readonly heldUpBy: readonly string[] } | null;
}

export interface Recipient {
  readonly contactId: string;
  readonly phone: string;
  readonly name: string;
  readonly status: string;
  readonly messageId: string | null;
  readonly error: { readonly code: string } | null;
}

interface Recipients {
  readonly total: number;
  readonly items: readonly Recipient[];
}

/** Patience that ends only what is broken, milliseconds: a busy machine needs minutes. */
const patienceMs = 600_000;
const ended = new Set(['completed', 'cancelled', 'failed']);

/** Requests of a tenant with a profile about broadcasts, and what its contacts see of them. */
export function broadcastsOf(world: BroadcastingWorld, tenant: Tenant, profileId: string) {
  const draft = {
    profileId,
    name: 'Sale',
    message: { type: 'text', text: 'Hello {{name|friend}}!' },
    recipients: { type: 'tags', value: ['customers'] },
    settings: { delayMin: 0, delayMax: 0 },
  };
  /** Undefined when it was not answered in time: the clock may have jumped over the request. */
  const look = async (id: string): Promise<Broadcast | undefined> => {
    const { status, body } = await tenant.call<Broadcast>('GET', `/broadcast/${id}`);
    return status === 503 ? undefined : expected({ status, body }, 200);
  };
  const get = async (id: string): Promise<Broadcast> => {
    const { status, body } = await tenant.call<Broadcast>('GET', `/broadcast/${id}`);
    if (status !== 200) throw new Error(`GET /broadcast/:id answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const expected = <Body>({ status, body }: { status: number; body: Body }, wanted: number): Body => {
    if (status !== wanted) throw new Error(`It was answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    get,
    /** @returns the status and its body, whatever it is */
    tryToCreate: (given: object) => tenant.call<Broadcast>('POST', '/broadcast', { ...draft, ...given }),
    create: async (given: object = {}): Promise<Broadcast> =>
      expected(await tenant.call<Broadcast>('POST', '/broadcast', { ...draft, ...given }), 201),
    /** @throws Error when the answer is not 200 */
    tell: async (id: string, what: 'start' | 'pause' | 'resume' | 'cancel'): Promise<Broadcast> =>
      expected(await tenant.call<Broadcast>('POST', `/broadcast/${id}/${what}`), 200),
    /** Waits until it has ended and nothing of it is on its way. */
    over: (id: string): Promise<Broadcast> =>
      eventually(async () => {
        const found = await look(id);
        return found && ended.has(found.status) && found.stats.pending === 0 ? found : undefined;
      }, patienceMs),
    until: (id: string, holds: (broadcast: Broadcast) => boolean): Promise<Broadcast> =>
      eventually(async () => {
        const found = await look(id);
        return found && holds(found) ? found : undefined;
      }, patienceMs),
    recipients: async (id: string, query = ''): Promise<Recipients> =>
      (await tenant.call<Recipients>('GET', `/broadcast/${id}/recipients?limit=200${query}`)).body,
    csv: async (id: string): Promise<{ type: string | null; lines: string[] }> => {
      const headers = { authorization: `Bearer ${tenant.token}` };
      const answer = await fetch(`${world.gateway?.host}/api/v1/broadcast/${id}/recipients/csv`, { headers });
      return { type: answer.headers.get('content-type'), lines: (await answer.text()).trimEnd().split('\r\n') };
    },
    /** @returns the id of the contact */
    addContact: async (phone: string, given: object = {}): Promise<string> => {
      const body = { phone, profileId, tags: ['customers'], ...given };
      return expected(await tenant.call<{ id: string }>('POST', '/contacts', body), 201).id;
    },
    /** Of many at once. */
    addContacts: async (given: readonly { readonly phone: string; readonly name?: string }[]): Promise<void> => {
      const contacts = given.map((one) => ({ tags: ['customers'], ...one }));
      const body = { profileId, contacts };
      const { created } = expected(await tenant.call<{ created: number }>('POST', '/contacts/import', body), 200);
      if (created !== given.length) throw new Error(`${created} contacts were made of ${given.length}.`);
    },
    /** Texts that a contact has decrypted. */
    decrypted: async (phone: string): Promise<(string | undefined)[]> =>
      (await world.network.messages(phone)).map(({ text }) => text),
  };
}
export type Broadcasts = ReturnType<typeof broadcastsOf>;
