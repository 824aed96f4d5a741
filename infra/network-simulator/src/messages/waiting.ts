import { node, SERVER } from '../connection/nodes.ts';
import { announcePast } from '../history/announcing.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';

/** Delivers to a device that has just logged in all that waited for it, and from now on whatever comes. */
export function deliverWaiting(network: Network, device: LinkedDevice): void {
  const { connection, mailbox } = device;
  if (connection === undefined || device.active) return;
  const offline = mailbox.stanzas();
  device.active = true;
  for (const [at, stanza] of offline.entries()) {
    connection.send({ ...stanza, attrs: { ...stanza.attrs, offline: String(at) } });
  }
  connection.send(node('ib', { from: SERVER }, [node('offline', { count: String(offline.length) })]));
  // Said again at every login until the client has done what follows from it, for it may be killed in between.
  if (device.synchronized) return;
  announcePast(network, device).catch((error: unknown) =>
    network.log({ event: 'history-failed', reason: String(error) }),
  );
}
