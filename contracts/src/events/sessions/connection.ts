import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

export const connectionStatuses = [
  'disconnected',
  'connecting',
  'awaiting_scan',
  'connected',
  'reconnecting',
  'logged_out',
  'failed',
] as const;
export const ConnectionStatus = oneOf(connectionStatuses, { title: 'ConnectionStatus' });

export const ConnectionUpdate = event({
  type: 'connection.update',
  version: 1,
  owner: 'sessions',
  visibility: 'public',
  means: 'The connection status of a profile changed.',
  data: closed({ status: ConnectionStatus, reason: Type.Optional(Type.String()) }),
  example: { status: 'connecting' },
});

export const ConnectionQr = event({
  type: 'connection.qr',
  version: 1,
  owner: 'sessions',
  visibility: 'public',
  means: 'There is a new QR code to scan.',
  data: closed({ qr: Type.String(), expiresAt: Timestamp }),
  example: { qr: '2@abc,def,ghi,jkl', expiresAt: '2026-01-01T00:00:20.000Z' },
});

export const ConnectionReady = event({
  type: 'connection.ready',
  version: 1,
  owner: 'sessions',
  visibility: 'public',
  means: 'The profile is connected: it can send and receive.',
  data: closed({ phoneNumber: Type.String(), pushName: nullable(Type.String()) }),
  example: { phoneNumber: '4915112345678', pushName: 'Sales' },
});

export const ConnectionDisconnected = event({
  type: 'connection.disconnected',
  version: 1,
  owner: 'sessions',
  visibility: 'public',
  means: 'The connection of the profile ended.',
  data: closed({ reason: Type.String() }),
  example: { reason: 'LOGGED_OUT' },
});
