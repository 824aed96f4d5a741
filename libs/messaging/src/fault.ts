import type { ErrorCode, EventMark } from '@messaging-gateway/contracts';
import { isUnavailable } from '@messaging-gateway/runtime';
import { Refused } from './refused.ts';

/** A broken rule on its way back over a bus. JSON only. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly raised?: readonly EventMark[];
}

/**
 * The words about an error for the caller. Only `Refused` passes as it is; of any other nothing leaks:
 * `SERVICE_UNAVAILABLE` when a part is away, else `INTERNAL_ERROR`.
 */
export function faultOf(error: unknown): Fault {
  if (error instanceof Refused) {
    const { code, message, details, headers, raised } = error;
    return {
      code,
      message,
      ...(details !== undefined && { details }),
      ...(headers !== undefined && { headers }),
      ...(raised !== undefined && { raised }),
    };
  }
  if (isUnavailable(error))
    return { code: 'SERVICE_UNAVAILABLE', message: 'A part that is needed is not available now.' };
  return { code: 'INTERNAL_ERROR', message: 'Something failed that the caller cannot mend.' };
}

export const refusedFrom = ({ code, message, details, headers, raised }: Fault): Refused =>
  new Refused(code, message, details, headers, raised);
