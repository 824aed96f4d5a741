import { reasonOf } from '@messaging-gateway/runtime';
import type { CloseCause } from '../engine.ts';

const byCode: Readonly<Record<number, CloseCause>> = {
  515: 'restart',
  401: 'logged-out',
  440: 'replaced',
  405: 'version-refused',
  403: 'forbidden',
  419: 'logged-out',
};

/** Why the client library says that a connection ended, and a short word for the log. */
export function closeCause(error: unknown, isLinked: boolean): { cause: CloseCause; detail: string } {
  const {
    message = '',
    output,
    data,
  } = (error ?? {}) as { message?: string; output?: { statusCode?: number }; data?: unknown };
  const code = output?.statusCode ?? 0;
  const cause = byCode[code] ?? 'lost';
  if (message.startsWith('QR refs attempts ended') || (!isLinked && cause === 'logged-out'))
    return { cause: 'not-linked', detail: String(code) };
  // What kept the connection from being made, such as a refusal or a certificate.
  if (isError(data)) return { cause, detail: `${code} ${reasonOf(data)}` };
  return { cause, detail: code === 0 ? 'CONNECTION_ENDED' : String(code) };
}

/** By shape: errors of Node's own modules can come from another realm. */
const isError = (data: unknown): boolean => typeof (data as { message?: unknown } | undefined)?.message === 'string';
