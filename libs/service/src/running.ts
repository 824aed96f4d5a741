/** A part that runs as long as the service: engines, lanes, schedules. */
export interface Running {
  /** Called in the order of the list at start, after views are ready and before operations are served. */
  start(): Promise<void>;
  /** Called in the reverse order at stop, after operations are no longer served. */
  stop(): Promise<void>;
}
