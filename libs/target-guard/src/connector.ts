import { buildConnector } from 'undici';
import { reachOf } from './address.ts';
import { reachOfHost } from './host.ts';
import { guardedLookup } from './lookup.ts';
import { isAllowed, TargetRefused, type TargetPolicy } from './policy.ts';
import { resolveFor, type Resolve } from './resolve.ts';

export interface ConnectorOptions {
  /** Until the connection stands, looking up and TLS included, milliseconds. */
  readonly connectTimeoutMs: number;
  readonly resolve?: Resolve;
  /** The opener of sockets; a test may give its own. */
  readonly connect?: buildConnector.connector;
}

/**
 * Opens sockets for undici to allowed targets only: checks the literal, every address of a name, and the address that
 * the socket has in the end. A filter on the lookup alone is passed by literals, which are never looked up.
 */
export function guardedConnector(policy: TargetPolicy, options: ConnectorOptions): buildConnector.connector {
  const open =
    options.connect ??
    buildConnector({
      allowH2: false,
      timeout: options.connectTimeoutMs,
      lookup: guardedLookup(policy, options.resolve ?? resolveFor(policy)),
      autoSelectFamily: true,
    });
  return (target, callback) => {
    const reach = reachOfHost(target.hostname);
    if (reach !== undefined && !isAllowed(reach, policy)) {
      queueMicrotask(() => callback(new TargetRefused('The target is not allowed.'), null));
      return;
    }
    open(target, (error, socket) => {
      if (error !== null) return callback(error, null);
      if (!isAllowed(reachOf(socket.remoteAddress ?? ''), policy)) {
        socket.destroy();
        return callback(new TargetRefused('The target led to an address that is not allowed.'), null);
      }
      callback(null, socket);
    });
  };
}
