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
  const { message = '', output } = (error ?? {}) as { message?: string; output?: { statusCode?: number } };
  const code = output?.statusCode ?? 0;
  const cause = byCode[code] ?? 'lost';
  if (message.startsWith('QR refs attempts ended') || (!isLinked && cause === 'logged-out'))
    return { cause: 'not-linked', detail: String(code) };
  return { cause, detail: code === 0 ? 'CONNECTION_ENDED' : String(code) };
}
