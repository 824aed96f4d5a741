import { workerData } from 'node:worker_threads';

/** Looks at the process that it is a thread of from time to time, also while that is busy, and ends it when it takes too much. */
const { time, memory, parent } = workerData as {
  /** Milliseconds of a processor: how loaded a machine is does not matter. */
  readonly time: number;
  /** Bytes. */
  readonly memory: number;
  readonly parent: number;
};

setInterval(() => {
  const { user, system } = process.cpuUsage();
  const isTooMuch = (user + system) / 1000 > time || process.memoryUsage.rss() > memory;
  // Nobody waits for it any more when whoever started it is gone.
  if (isTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 20);
