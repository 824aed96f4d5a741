import { setImmediate as turn } from 'node:timers/promises';
import type { ImportContactsCsv } from '@messaging-gateway/contracts';
import type { CsvPlace } from '@messaging-gateway/csv';
import { invalid } from '@messaging-gateway/messaging';
import { more, type InputOf, type Reply } from '@messaging-gateway/service';
import type { ImportTools } from './tools.ts';
import { requirePlace } from './changing.ts';
import { readPiece } from './csv-import.ts';
import { importRows, nothingImported, type Imported } from './importing.ts';

/** Progress, which the answer to a piece hands to the next one. */
interface Progress {
  readonly result: Imported;
  readonly place: CsvPlace;
}

/** Contacts of a CSV file, piece after piece. */
export async function importCsv(
  tools: ImportTools,
  input: InputOf<typeof ImportContactsCsv>,
): Promise<Imported | Reply> {
  const { piece } = input.context;
  const profileId = profileOf(input);
  if (piece?.state === undefined) await requirePlace(tools, input.caller, profileId);
  const { result, place } = (piece?.state as Progress | undefined) ?? {
    result: nothingImported(),
    place: { rest: '', lines: 0 },
  };
  const isLast = piece?.isLast ?? true;
  let read = readPiece(place, input.body.csv, isLast, result);
  await importRows(tools, input, profileId, read.rows, result);
  while (!read.isWhole) {
    await turn();
    read = readPiece(read.place, '', isLast, result);
    await importRows(tools, input, profileId, read.rows, result);
  }
  if (!isLast) return more({ result, place: read.place } satisfies Progress);
  result.errors.sort((one, other) => one.line - other.line);
  return result;
}

function profileOf({ body, query }: InputOf<typeof ImportContactsCsv>): string | undefined {
  const { profileId: inQuery } = query;
  if (inQuery !== undefined && body.profileId !== undefined && inQuery !== body.profileId)
    throw invalid([{ path: 'query.profileId', message: 'must be the one that the body names' }]);
  return body.profileId ?? inQuery;
}
