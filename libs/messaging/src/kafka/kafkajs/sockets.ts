import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import type { KafkaConnectionOptions } from '../options.ts';

const keepAliveMs = 60_000;

/** Sockets to where brokers are reached; certificates are still checked for where they say they are. */
export const socketsOver =
  (reachedAt: NonNullable<KafkaConnectionOptions['reachedAt']>): ISocketFactory =>
  ({ host, port, ssl, onConnect }) => {
    const address = reachedAt({ host, port });
    // The library's types name TLS options even where the connection is plain.
    const secure = ssl as typeof ssl | undefined;
    const names = isIP(host) === 0 ? { servername: host } : {};
    const socket =
      secure === undefined || secure === null
        ? connectPlain(address, onConnect)
        : connectTls({ ...address, ...names, ...secure }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    return socket;
  };
