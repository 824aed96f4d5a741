import { pathOf } from './client.ts';
import { rowOf, type OperationName, type RequestOf } from './operations.ts';
import { apiHost } from './sending.ts';

/** A text for a POSIX shell, as one word. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request as a command for a POSIX shell; the credential comes from the variable API_KEY. */
export function curlOf<N extends OperationName>(name: N, given: RequestOf<N>): string {
  const { method } = rowOf(name);
  const { body } = given as { readonly body?: unknown };
  const host = apiHost === '' ? location.origin : apiHost;
  const lines = [
    `curl -sS -X ${method} ${quoted(`${host}/api/v1${pathOf(name, given)}`)}`,
    '-H "x-api-key: $API_KEY"',
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}
