import { setImmediate as turn } from 'node:timers/promises';
import {
  ImportedSuppression,
  check,
  normalizePhone,
  type ImportResult,
  type ImportSuppressionsCsv,
} from '@messaging-gateway/contracts';
import { readPiece, type CsvForm, type CsvLine, type CsvPlace } from '@messaging-gateway/csv';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { auditMarkOf, more, type InputOf, type Reply } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { askedBy } from '../metadata.ts';
import { allNamesOf, entriesOf, isOf, suppress, type SuppressionTools } from './suppressing.ts';

type Imported = Static<typeof ImportResult>;
type Input = InputOf<typeof ImportSuppressionsCsv>;

/** Progress, which the answer to a piece hands to the next one. */
interface Progress {
  readonly result: Imported;
  readonly place: CsvPlace;
}

/** The export has a third column, which the import leaves alone. */
const form: CsvForm = {
  columns: ['phone', 'reason', 'createdAt'],
  refuse: (message) => invalid([{ path: 'body.csv', message }]),
};

/** Errors that an answer names; all are counted. */
const mostErrors = 1000;
/** Entries written at once. */
const together = 250;

/** Puts the phones of a CSV file on the list, piece after piece. */
export async function importCsv(tools: SuppressionTools, input: Input): Promise<Imported | Reply> {
  const { piece } = input.context;
  const { result, place: before } = (piece?.state as Progress | undefined) ?? {
    result: { created: 0, updated: 0, failed: 0, errors: [] },
    place: { rest: '', lines: 0 },
  };
  const isLast = piece?.isLast ?? true;
  let read = readPiece(form, before, input.body.csv, isLast);
  await importLines(tools, input, read.rows, result);
  while (!read.isWhole) {
    await turn();
    read = readPiece(form, read.place, '', isLast);
    await importLines(tools, input, read.rows, result);
  }
  return isLast ? result : more({ result, place: read.place } satisfies Progress);
}

async function importLines(
  tools: SuppressionTools,
  input: Input,
  lines: readonly CsvLine[],
  result: Imported,
): Promise<void> {
  for (let from = 0; from < lines.length; from += together)
    await importSome(tools, input, lines.slice(from, from + together), result);
}

async function importSome(
  tools: SuppressionTools,
  input: Input,
  lines: readonly CsvLine[],
  result: Imported,
): Promise<void> {
  const rows = lines.flatMap((line) => {
    const row = rowOf(line);
    if ('phone' in row) return [row];
    result.failed += 1;
    if (result.errors.length < mostErrors) result.errors.push({ line: line.line, message: row.fault });
    return [];
  });
  if (rows.length === 0) return;
  const { organizationId } = input.caller;
  const audit = auditMarkOf(input.context);
  const metadata = { ...askedBy(input), ...(audit && { audit }) };
  const digests = await tools.keys.make(askedBy(input));
  if (digests === undefined) throw new Refused('NOT_FOUND', 'There is no such organization.');
  const people = await allNamesOf(tools, organizationId, rows);
  const names = people.map((person) => digests.namesOf(person));
  const entries = await entriesOf(tools.sql, organizationId, names);
  const outcomes = await Promise.all(
    names.map((ofOne, index) => {
      const theirs = entries.filter((entry) => isOf(entry, ofOne));
      const { reason } = rows[index] ?? {};
      return suppress(tools, ofOne, theirs, { reason, replaces: true, options: { metadata } });
    }),
  );
  for (const { isNew } of outcomes) result[isNew ? 'created' : 'updated'] += 1;
}

/** Phone and reason of a line, or one sentence on its fault. */
function rowOf(line: CsvLine): { phone: string; reason?: string } | { fault: string } {
  if ('fault' in line) return line;
  const [phone = '', reason = ''] = ['phone', 'reason'].map((column) => line.cells.get(column));
  const given = { phone, ...(reason !== '' && { reason }) };
  const [wrong] = check(ImportedSuppression, given, 'row');
  if (wrong !== undefined) return { fault: `${wrong.path.replace(/^row\./, '')} ${wrong.message}` };
  return { ...given, phone: normalizePhone(phone) ?? '' };
}
