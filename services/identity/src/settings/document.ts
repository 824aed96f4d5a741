import type { StreamType } from '@messaging-gateway/event-sourcing';

export type Document = Readonly<Record<string, unknown>>;

type Kept = { type: 'DocumentChanged'; data: { document: Document } };
/** Fields to put in place of those that are there; null takes one away. Objects are changed field by field. */
interface Change {
  readonly change: Document;
}

/**
 * Settings that have no rules of their own: one stream for each organization, encrypted as a whole with its key, so that
 * secrets are nowhere in the clear.
 *
 * @param name of the streams, for example `smtp-settings`
 */
export const documentStream = (name: string): StreamType<Document, Change, Kept> => ({
  name,
  decider: {
    initial: {},
    decide: ({ change }, document) => {
      const changed = withChange(document, change);
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

/** A document with a change made to it. The order of its fields stays the same whatever order they are given in. */
export function withChange(document: Document, change: Document): Document {
  const changed: Record<string, unknown> = { ...document };
  for (const [field, value] of Object.entries(change)) {
    if (value === undefined) continue;
    if (value === null) delete changed[field];
    else changed[field] = isDocument(value) ? withChange((document[field] ?? {}) as Document, value) : value;
  }
  return Object.fromEntries(Object.entries(changed).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
