import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { Refused } from './refused.ts';

/** Answers an operation; throws `Refused` for a broken rule. */
export type OperationHandler = (request: OperationRequest) => Promise<OperationReply>;

/** Options of a request. */
interface RequestOptions {
  /** The instance that must answer, for example the replica that holds a profile. Absent: any replica of the owner. */
  readonly route?: string;
}

/** Details of a refusal that says for certain: no owner has seen the request. */
export const unseen = { unseen: true } as const;

/** Whether an error says for certain that no owner has seen the request. */
export const isUnseen = (error: unknown): error is Refused =>
  error instanceof Refused && (error.details as { unseen?: unknown } | undefined)?.unseen === true;

/**
 * The port for requests that somebody waits for: one owner answers each.
 * Adapters: in-process, RabbitMQ. All pass `operations.suite.ts`.
 */
export interface OperationBus {
  /**
   * Sends a request to its owner and waits for the answer until `request.deadline`.
   *
   * @throws Refused what the owner threw, with code, message and details
   * @throws Refused `SERVICE_UNAVAILABLE` at once when nobody serves it (or nobody at `options.route`); its details are
   *   `unseen`
   * @throws Refused `SERVICE_UNAVAILABLE` when the deadline passes, or the process is gone that had it in hand; the owner
   *   may have done the work. No adapter carries it out twice
   */
  request(operation: string, request: OperationRequest, options?: RequestOptions): Promise<OperationReply>;

  /**
   * Serves an operation in this process. A request whose deadline has passed is refused unseen.
   *
   * @param route serve only requests routed here; may be called at run time. Another process that serves the same route
   *   later takes it over: requests go to the newest holder only
   * @throws Error when this process serves the operation at the route already
   * @returns stops serving; requests in progress are finished
   */
  serve(operation: string, handler: OperationHandler, route?: string): Promise<() => Promise<void>>;
}
