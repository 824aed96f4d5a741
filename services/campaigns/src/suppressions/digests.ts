import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { namedUuids } from '@messaging-gateway/contracts';
import { erased, type EventMetadata, type EventStore, type StreamType } from '@messaging-gateway/event-sourcing';
import type { Names } from './suppression.ts';

/** A person, by all names that are known: digits of the phone, `<id>@lid`. */
export interface Person {
  readonly phone?: string | null | undefined;
  readonly lid?: string | null | undefined;
}

interface Kept {
  /** Base64url. */
  readonly key?: string;
}
type Made = { type: 'DigestKeyMade'; data: { readonly key: string } };

/**
 * The key of an organization's digests: random, sealed with the organization's key, and gone with that. It outlives a change of
 * the installation's `ENCRYPTION_KEY`, as digests cannot be made anew of names that were erased.
 *
 * @see docs/decisions/0750-a-suppression-outlives-the-name.md
 */
export const digestKeyStream: StreamType<Kept, { readonly key: string }, Made> = {
  name: 'suppression-key',
  decider: {
    initial: {},
    decide: ({ key }, kept) => (kept.key === undefined ? [{ type: 'DigestKeyMade', data: { key } }] : []),
    evolve: (_, { data: { key } }) => ({ key }),
  },
  events: { DigestKeyMade: { version: 1, personal: ['key'] } },
};

const idOf = namedUuids('0f3a7c52-52c3-5d0b-8a55-9f6c5b1f7d21');

/** Makes keyed digests of the names of an organization's people: equal for equal names, and of use to nobody else. */
export class Digests {
  readonly #key: KeyObject;

  /** @param key base64url */
  constructor(key: string) {
    this.#key = createSecretKey(key, 'base64url');
  }

  ofPhone = (phone: string): string => this.#of(`phone ${phone}`);
  ofLid = (lid: string): string => this.#of(`lid ${lid}`);

  namesOf({ phone, lid }: Person): Names {
    return {
      ...(typeof phone === 'string' && { phone, phoneDigest: this.ofPhone(phone) }),
      ...(typeof lid === 'string' && { lidDigest: this.ofLid(lid) }),
    };
  }

  /** Id of the entry that is made for these names: whoever makes it at the same moment makes the same one. */
  static entryOf({ phoneDigest, lidDigest }: Names): string {
    return idOf(phoneDigest ?? lidDigest ?? '');
  }

  #of(name: string): string {
    return createHmac('sha256', this.#key).update(name).digest('base64url');
  }
}

const remembered = 5000;
const keyBytes = 32;

/** The digests of each organization; keys that were read are remembered. */
export class DigestKeys {
  readonly #store: EventStore;
  readonly #known = new Map<string, Digests>();

  constructor(store: EventStore) {
    this.#store = store;
  }

  /** Digests of an organization, if they are in memory. */
  known(organizationId: string): Digests | undefined {
    return this.#known.get(organizationId);
  }

  /** undefined: nobody was ever on the list of the organization, or it was erased. */
  async find(organizationId: string): Promise<Digests | undefined> {
    const known = this.#known.get(organizationId);
    if (known !== undefined) return known;
    return this.#remember(organizationId, (await this.#store.load(digestKeyStream, organizationId)).state);
  }

  /** Digests of an organization that is about to put somebody on the list; undefined: it was erased. */
  async make(metadata: EventMetadata): Promise<Digests | undefined> {
    const { organizationId } = metadata;
    const known = await this.find(organizationId);
    if (known !== undefined) return known;
    const key = randomBytes(keyBytes).toString('base64url');
    return this.#remember(
      organizationId,
      (await this.#store.handle(digestKeyStream, organizationId, { key }, { metadata })).state,
    );
  }

  /** After an erasure nothing is known any more. */
  forget(): void {
    this.#known.clear();
  }

  #remember(organizationId: string, { key }: Kept): Digests | undefined {
    if (key === undefined || key === erased) return undefined;
    if (this.#known.size >= remembered) this.#known.clear();
    const digests = new Digests(key);
    this.#known.set(organizationId, digests);
    return digests;
  }
}
