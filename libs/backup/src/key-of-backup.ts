import { assertOpens, fromHex, type KeyEvidence } from '@messaging-gateway/event-sourcing';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import { portions, verifyArchive, type Outline } from './archive.ts';

/** A backup holds sealed data, and there is no key. */
export class NoKey extends Error {
  constructor() {
    super('The data of this backup are sealed with the ENCRYPTION_KEY of the installation that it is of.');
    this.name = 'NoKey';
  }
}

/**
 * Reads a backup through, before anything is made of it, and checks that what it holds can be opened.
 *
 * @param encryption undefined: there is no key at all
 * @throws Error when the backup is damaged; NoKey; WrongKey
 */
export async function verifyBackup(file: string, encryption: EncryptionKeys | undefined): Promise<void> {
  const { outline } = await verifyArchive(file);
  for (const evidence of await evidenceIn(file, outline)) {
    if (encryption !== undefined) assertOpens(evidence, encryption);
    else if (evidence.knownValue !== undefined || evidence.subjectKeys.length > 0) throw new NoKey();
  }
}

async function evidenceIn(file: string, outline: Outline): Promise<KeyEvidence[]> {
  const found = new Map<string, { knownValue: Buffer | undefined; keys: Map<string, KeyEvidence['subjectKeys'][0]> }>();
  const columnsOf = new Map(
    outline.schemas
      .flatMap(({ tables }) => tables)
      .map(({ schema, table, columns }) => [`${schema}.${table}`, columns]),
  );
  const isWanted = (table: string): boolean => /\.(journal|subject_keys)$/.test(table);
  for await (const { table, rows } of portions(file, isWanted)) {
    const [schema = '', name] = table.split('.');
    const evidence = found.get(schema) ?? { knownValue: undefined, keys: new Map() };
    found.set(schema, evidence);
    for (const row of rowsOf(rows, columnsOf.get(table) ?? [])) {
      if (name === 'journal' && row['known_value']) evidence.knownValue = fromHex(row['known_value']);
      const { subject, sealed } = row;
      // `\x`, the form (2 digits), the id of the key (8)
      if (name === 'subject_keys' && subject && sealed && !evidence.keys.has(sealed.slice(4, 12)))
        evidence.keys.set(sealed.slice(4, 12), { subject, sealed: fromHex(sealed) });
    }
  }
  return [...found].map(([schema, { knownValue, keys }]) => ({ schema, knownValue, subjectKeys: [...keys.values()] }));
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Rows in the text format of COPY; null: absent. */
function* rowsOf(rows: Buffer, columns: readonly string[]): Generator<Readonly<Record<string, string | undefined>>> {
  for (const line of rows.toString().split('\n')) {
    if (line === '') continue;
    const fields = line.split('\t').map((field) => (field === '\\N' ? undefined : unescaped(field)));
    yield Object.fromEntries(columns.map((column, index) => [column, fields[index]]));
  }
}

const unescaped = (field: string): string =>
  field.replaceAll(/\\(.)/g, (_, letter: string) => controls[letter] ?? letter);
