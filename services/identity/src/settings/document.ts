import type { StreamType } from '@messaging-gateway/event-sourcing';

export type Document = Readonly<Record<string, unknown>>;

type Kept = { type: 'DocumentChanged'; data: { document: Document } };
/** Fields to put in place of those that are there; null takes one away. Objects are changed field by field. */
interface Change {
  readonly change: Document;
}

/** Which secret was given for which server: names of fields; of an object within, the same of its fields. */
export interface Bound {
  readonly [secret: string]: string | Bound;
}

/**
 * Settings that have no rules of their own: one stream for each organization, encrypted as a whole with its key, so that
 * secrets are nowhere in the clear.
 *
 * @param name of the streams, for example `smtp-settings`
 * @param bound secrets that go away with the server that they were given for
 */
export const documentStream = (name: string, bound: Bound = {}): StreamType<Document, Change, Kept> => ({
  name,
  decider: {
    initial: {},
    decide: ({ change }, document) => {
      const changed = withChange(document, change, bound);
      return JSON.stringify(changed) === JSON.stringify(document)
        ? []
        : [{ type: 'DocumentChanged', data: { document: changed } }];
    },
    // Erased, it is a text.
    evolve: (_, { data: { document } }) => (typeof document === 'object' ? document : {}),
  },
  events: { DocumentChanged: { version: 1, personal: ['document'] } },
  snapshotEvery: 100,
});

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A document with a change made to it. The order of its fields stays the same whatever order they are given in. A secret
 * that is bound to a server is not shown to another one: it goes, unless it is given anew with that.
 */
export function withChange(document: Document, change: Document, bound: Bound = {}): Document {
  const changed: Record<string, unknown> = { ...document };
  for (const [field, value] of Object.entries(change)) {
    if (value === undefined) continue;
    if (value === null) delete changed[field];
    else changed[field] = isDocument(value) ? withChange(within(document, field), value, within(bound, field)) : value;
  }
  for (const [secret, server] of Object.entries(bound))
    if (typeof server === 'string' && change[secret] === undefined && isAnother(document[server], changed[server]))
      delete changed[secret];
  return Object.fromEntries(Object.entries(changed).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const within = <T extends Document | Bound>(outer: T, field: string): T => (outer[field] ?? {}) as T;

const isAnother = (before: unknown, after: unknown): boolean =>
  typeof before === 'string' && (typeof after !== 'string' || serverOf(before) !== serverOf(after));

/** Of a URL its origin; a host is none. */
const serverOf = (text: string): string =>
  /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).origin : text.toLowerCase();
