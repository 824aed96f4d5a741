import { inSchema } from '@messaging-gateway/event-sourcing';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { openValue, sealValue, type StoredMetadata } from '../../../libs/event-sourcing/src/event-codec.ts';
import { subjectKeys } from '../../../libs/event-sourcing/src/subject-keys.ts';
import { patterns, render, type Part, type Vocabulary } from './pattern.ts';
import type { RealRow } from './rows.ts';

/** A row of which copies are made: a line of PostgreSQL's COPY text format with holes. */
export interface RowPattern {
  readonly table: string;
  readonly columns: readonly string[];
  readonly line: readonly Part[];
}

interface Event {
  readonly stream: string;
  readonly type: string;
  readonly data: { readonly $personal?: { readonly sealed?: string } };
  readonly metadata: StoredMetadata;
}

/** Columns whose value is counted on from copy to copy. */
const counted: Readonly<Record<string, string>> = {
  'webhooks.event_log.sequence': 'logSequence',
  'inbox.conversations.unread_count': 'unread',
};

/** Patterns of real rows. What an event holds sealed is opened, and sealed anew in each copy under the same key. */
export async function rowPatterns(
  rows: readonly RealRow[],
  vocabulary: Vocabulary,
  { pool, encryption }: { readonly pool: Pool; readonly encryption: EncryptionKeys },
): Promise<RowPattern[]> {
  const split = patterns(vocabulary);
  const made: RowPattern[] = [];
  for (const { table, columns, values } of rows) {
    const schema = table.slice(0, table.indexOf('.'));
    const event = table.endsWith('.events') ? eventOf(columns, values) : undefined;
    const keys = subjectKeys(pool, schema, encryption);
    const sealed = event === undefined ? {} : sealedOf(event);
    await keys.ensure(
      Object.values(sealed).map(({ subject }) => subject),
      false,
    );
    const line: Part[] = [];
    for (const [at, column] of columns.entries()) {
      const value = values[at] ?? null;
      const name = column === 'append_id' ? 'appendId' : counted[`${table}.${column}`];
      if (at > 0) line.push('\t');
      if (value === null) line.push('\\N');
      else if (name !== undefined) line.push((copy) => copy.value(name));
      else if (sealed[column] !== undefined)
        line.push(...sealedParts(sealed[column], value, split, keys.readable(sealed[column].subject)));
      else line.push(...split(escaped(value)));
    }
    made.push({ table: inSchema(table, schema), columns, line: [...line, '\n'] });
  }
  return made;
}

function eventOf(columns: readonly string[], values: RealRow['values']): Event {
  const value = (column: string): string => values[columns.indexOf(column)] ?? '';
  const data = JSON.parse(value('data')) as Event['data'];
  return {
    stream: value('stream'),
    type: value('type'),
    data,
    metadata: JSON.parse(value('metadata')) as StoredMetadata,
  };
}

/** A ciphertext inside of a column. */
interface Sealed {
  readonly text: string;
  /** The context that it is bound to. */
  readonly context: string;
  /** Subject whose key seals it. */
  readonly subject: string;
}

/** Sealed fields of an event, by column: its personal fields, and where the request came from. */
function sealedOf({ stream, type, data, metadata }: Event): Readonly<Record<string, Sealed>> {
  const text = data.$personal?.sealed;
  const { audit } = metadata;
  return {
    ...(text !== undefined && { data: { text, context: `${stream} ${type}`, subject: metadata.subject } }),
    ...(audit?.origin !== undefined && {
      metadata: { text: audit.origin, context: `audit ${audit.id}`, subject: audit.subject ?? '' },
    }),
  };
}

type Key = Parameters<typeof openValue>[0] | 'erased';

function sealedParts({ text, context }: Sealed, value: string, split: (text: string) => Part[], key: Key): Part[] {
  if (key === 'erased') return split(escaped(value));
  const [before = '', after = ''] = value.split(text);
  const clear = split(JSON.stringify(openValue(key, text, context)));
  const bound = split(context);
  const seal: Part = (copy) => sealValue(key, JSON.parse(render(clear, copy)), render(bound, copy));
  return [...split(escaped(before)), seal, ...split(escaped(after))];
}

/** As COPY reads it. */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
