import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { isUnseen, type OperationBus } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';

/** How long a routed request is held while its holder changes, milliseconds (docs/decisions/0293). */
export const usualHoldMs = 10_000;
/** Until it is tried again, milliseconds. */
const againMs = 100;

export interface Holding {
  readonly route: string;
  /** Milliseconds; 0 asks once. */
  readonly holdMs: number;
  readonly clock: Clock;
}

/**
 * Asks the holder of a route. While nobody serves the route, because its holder stops and the next one takes over, the
 * request is held instead of refused: nobody has seen it, so asking again does nothing twice.
 *
 * @throws Refused what the holder threw; `unseen` when nobody has come up in time
 * @see docs/decisions/0293-requests-are-held-by-those-who-ask.md
 */
export async function heldRequest(
  operations: OperationBus,
  name: string,
  request: OperationRequest,
  { route, holdMs, clock }: Holding,
): Promise<OperationReply> {
  const until = Math.min(clock.now() + holdMs, request.deadline);
  for (;;) {
    try {
      return await operations.request(name, request, { route });
    } catch (error) {
      if (!isUnseen(error) || clock.now() + againMs >= until) throw error;
      await clock.sleep(againMs);
    }
  }
}
