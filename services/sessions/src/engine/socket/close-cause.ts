import { reasonOf } from '@messaging-gateway/runtime';
import type { CloseCause, Closing } from '../engine.ts';

const byCode: Readonly<Record<number, CloseCause>> = {
  515: 'restart',
  401: 'logged-out',
  440: 'replaced',
  405: 'version-refused',
  403: 'forbidden',
  419: 'logged-out',
};

/** Words for the library's own codes of a connection that was lost, where no error says more. */
const words: Readonly<Record<number, string>> = { 0: 'CONNECTION_ENDED', 408: 'TIMEOUT', 428: 'CONNECTION_CLOSED' };

/** Why the client library says that a connection ended, and a short word for the log. */
export function closeCause(error: unknown, isLinked: boolean): Closing {
  const {
    message = '',
    output,
    data,
  } = (error ?? {}) as { message?: string; output?: { statusCode?: number }; data?: unknown };
  const code = output?.statusCode ?? 0;
  const cause = byCode[code] ?? 'lost';
  if (message.startsWith('QR refs attempts ended') || (!isLinked && cause === 'logged-out'))
    return { cause: 'not-linked', detail: String(code) };
  if (cause !== 'lost') return { cause, detail: String(code) };
  // What kept the connection from being made, such as a refusal or a certificate.
  if (isError(data))
    return { cause, detail: `${code} ${reasonOf(data)}`, fault: codeOf(data) ?? words[code] ?? 'FAILED' };
  const fault = words[code] ?? `NETWORK_${code}`;
  return { cause, detail: code === 0 ? 'CONNECTION_ENDED' : String(code), fault };
}

interface Fault {
  readonly message: string;
  readonly code?: unknown;
  readonly errors?: readonly Fault[];
}

/** By shape: errors of Node's own modules can come from another realm. */
const isError = (data: unknown): data is Fault =>
  typeof (data as { message?: unknown } | undefined)?.message === 'string';

/** The word of the system or of TLS. Of several addresses in vain: the first. */
const codeOf = ({ code, errors }: Fault): string | undefined =>
  typeof code === 'string' ? code : errors?.[0] && codeOf(errors[0]);
