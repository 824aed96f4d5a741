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
    ...(isForm(body) ? Object.entries(body).map(formField) : []),
    ...(body === undefined || isForm(body)
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

type FormBody = Readonly<Record<string, unknown>>;
const isForm = (body: unknown): body is FormBody =>
  typeof body === 'object' && body !== null && Object.values(body).some((value) => value instanceof File);

/** A field of a form with a file, which curl reads from where it is run. */
const formField = ([name, value]: readonly [string, unknown]): string =>
  value instanceof File
    ? `-F ${quoted(`${name}=@${value.name}`)}`
    : `--form-string ${quoted(`${name}=${String(value)}`)}`;
