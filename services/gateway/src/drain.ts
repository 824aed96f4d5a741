import type { Server } from 'node:http';

/** Requests that are not answered by then are cut off, milliseconds. */
const patienceMs = 20_000;

/** Takes no new connections, finishes what is being answered, ends connections as soon as they are idle. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const impatient = setTimeout(() => server.closeAllConnections(), patienceMs);
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  await closed;
  clearTimeout(impatient);
  clearInterval(idle);
}
