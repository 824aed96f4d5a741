/** Latencies in milliseconds. */
export interface RawResult {
  readonly sendsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMsPerSend: number;
  readonly residentMiB: number;
}

/** The gateway under the same load. `cpuMsPerSend` counts its processes, PostgreSQL and the brokers, receipts included. */
export interface GatewayResult extends RawResult {
  readonly profiles: number;
  /** Requests in flight for each profile. */
  readonly clients: number;
  readonly postgresCpuMsPerSend: number;
  readonly brokersCpuMsPerSend: number;
  readonly commitsPerSend: number;
}

/** One way of running the gateway. */
export interface ModeResult {
  /** From few profiles to many, and of each from few clients to many, with the library alone, as many in flight, measured right before. */
  readonly runs: readonly { readonly raw: RawResult; readonly gateway: GatewayResult }[];
  /** Latency at 100 sends a second beyond that of the library alone. */
  readonly added: { readonly p50: number; readonly p99: number };
  readonly webhookLag: { readonly p50: number; readonly p99: number; readonly eventsPerSecond: number };
  readonly memoryPerProfileMiB: number;
}

export interface BenchResults {
  readonly at: string;
  readonly node: string;
  readonly standalone: ModeResult;
  /** Absent when RabbitMQ, Kafka or Redis was missing. */
  readonly distributed?: ModeResult;
  readonly eventsAppendedPerSecond: number;
  readonly startUpMs: { readonly first: number; readonly again: number };
}
