/** Latencies in milliseconds. */
export interface RawResult {
  readonly sendsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMsPerSend: number;
  readonly residentMiB: number;
}

/** The gateway under the same load. `cpuMsPerSend` counts its process and PostgreSQL, receipts included. */
export interface GatewayResult extends RawResult {
  readonly profiles: number;
  readonly postgresCpuMsPerSend: number;
  readonly commitsPerSend: number;
}

export interface BenchResults {
  readonly at: string;
  readonly node: string;
  readonly raw: Readonly<Record<string, RawResult>>;
  readonly gateway: Readonly<Record<string, GatewayResult>>;
  readonly added: { readonly p50: number; readonly p99: number };
  readonly webhookLag: { readonly p50: number; readonly p99: number; readonly eventsPerSecond: number };
  readonly eventsAppendedPerSecond: number;
  readonly memoryPerProfileMiB: number;
  readonly startUpMs: { readonly first: number; readonly again: number };
}
