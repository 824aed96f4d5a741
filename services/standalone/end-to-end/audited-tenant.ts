import { randomUUID } from 'node:crypto';
import { auditOf, operations } from '@messaging-gateway/contracts';
import { eventually, register } from '@messaging-gateway/testing';
import type { Answer, Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

export interface Entry {
  readonly id: string;
  readonly action: string;
  readonly actor: { readonly type: string; readonly id: string; readonly name: string | null };
  readonly resourceType: string | null;
  readonly resourceId: string | null;
  readonly metadata: { readonly fields?: readonly string[] };
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
}

/** A request that changed something, and the entry that is expected of it. */
interface Step {
  readonly requestId: string;
  readonly action: string;
  readonly actor: string;
  /** Undefined: whatever. */
  readonly resource: string | undefined;
}

interface Doing<B> {
  readonly body?: unknown;
  readonly byKey?: boolean;
  /** Another member who does it; `token` absent: the request itself says who. */
  readonly as?: { readonly token?: string; readonly id: string; readonly name: string };
  /** The resource of the entry; default: the id of the answer. `null`: not looked at. */
  readonly resource?: ((answer: B) => string | undefined) | string | null;
}

/** A tenant whose changes are written down, with an API key. */
export class AuditedTenant {
  readonly tenant: Tenant;
  readonly me: { readonly id: string; readonly email: string; readonly name: string };
  readonly steps: Step[] = [];
  readonly #world: World;
  readonly #asked: string[] = [];
  readonly #key: { readonly key: string; readonly id: string };

  private constructor(world: World, tenant: Tenant, me: AuditedTenant['me'], key: { key: string; id: string }) {
    this.#world = world;
    this.tenant = tenant;
    this.me = me;
    this.#key = key;
  }

  static async register(world: World): Promise<AuditedTenant> {
    const tenant = await register(world);
    const me = await tenant.call<AuditedTenant['me']>('GET', '/auth/me');
    const made = await tenant.call<{ key: string; id: string }>('POST', '/api-keys', { name: 'Robot' });
    return new AuditedTenant(world, tenant, me.body, made.body);
  }

  /** Does something that must become one entry. */
  async does<B = { id: string }>(
    action: string,
    method: string,
    path: string,
    { body, byKey = false, as, resource }: Doing<B> = {},
  ): Promise<Answer<B>> {
    const requestId = randomUUID();
    this.#asked.push(`${method} ${path.split('?')[0]}`);
    const answer = await this.#world.gateway.call<B>(method, path, body, {
      ...(as?.token === undefined && as !== undefined
        ? {}
        : { credential: byKey ? this.#key.key : (as?.token ?? this.tenant.token) }),
      headers: { 'x-request-id': requestId, 'user-agent': 'the audit test' },
    });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    const made = (answer.body as { id?: string } | undefined)?.id;
    const about = typeof resource === 'function' ? resource(answer.body) : (resource ?? made);
    this.steps.push({
      requestId,
      action,
      actor: byKey ? `api_key ${this.#key.id} Robot` : `user ${(as ?? this.me).id} ${(as ?? this.me).name}`,
      resource: resource === null ? undefined : about,
    });
    return answer;
  }

  /** Operations that change something by their contracts, and that this tenant has not done. */
  undone(): string[] {
    const forms = operations
      .filter((operation) => auditOf(operation) !== undefined)
      .map(({ method, path }) => ({
        name: `${method} ${path}`,
        form: new RegExp(`^${method} ${path.replaceAll(/:[^/]+/g, '[^/]+')}$`),
      }));
    // A request belongs to the operation with the fewest parameters that it fits, as in the router.
    const literal = (name: string): number => -name.split(':').length;
    const of = (asked: string): string | undefined =>
      forms.filter(({ form }) => form.test(asked)).toSorted((a, b) => literal(b.name) - literal(a.name))[0]?.name;
    const done = new Set(this.#asked.map(of));
    return forms.map(({ name }) => name).filter((name) => !done.has(name));
  }

  /** All entries, page after page. */
  async entries(query = ''): Promise<Entry[]> {
    const all: Entry[] = [];
    for (let cursor = ''; ;) {
      const page = await this.tenant.call<{ items: Entry[]; nextCursor: string | null }>(
        'GET',
        `/audit/logs?limit=50${cursor}${query}`,
      );
      all.push(...page.body.items);
      if (page.body.nextCursor === null) return all;
      cursor = `&cursor=${page.body.nextCursor}`;
    }
  }

  /** Ids of all contacts whose numbers hold this. */
  async contacts(search: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await this.tenant.call<{ items: { id: string }[]; nextCursor: string | null }>(
        'GET',
        `/contacts?limit=200&search=${search}${cursor}`,
      );
      ids.push(...body.items.map(({ id }) => id));
      if (body.nextCursor === null) return ids;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
  }

  /** All entries once each step has one; without that, what there is. */
  async settledEntries(): Promise<Entry[]> {
    const look = async (): Promise<Entry[] | undefined> => {
      const found = await this.entries();
      const there = new Set(found.map(({ requestId }) => requestId));
      return this.steps.every(({ requestId }) => there.has(requestId)) ? found : undefined;
    };
    return eventually(look, 300_000).catch(() => this.entries());
  }
}
