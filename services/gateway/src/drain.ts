import type { Server } from 'node:http';

/** Requests that are not answered by then are cut off, milliseconds. */
const patienceMs = 20_000;

/** Takes no new connections, finishes what is being answered, ends idle connections. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
  server.closeIdleConnections();
  await closed;
  clearTimeout(timer);
}
