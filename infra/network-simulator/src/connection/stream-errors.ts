import type { BinaryNode } from '@whiskeysockets/baileys';
import { node } from './nodes.ts';

/** Linking is complete: come back with the new credentials. */
export const RESTART: BinaryNode = node('stream:error', { code: '515' });

/** Another client has logged in with the same credentials; clients report 440. */
export const CONFLICT: BinaryNode = node('stream:error', {}, [node('conflict', { type: 'replaced' })]);

/** The device was removed from the account; clients report 401. */
export const REMOVED: BinaryNode = node('stream:error', { code: '401' }, [
  node('conflict', { type: 'device_removed' }),
]);

/** The login is refused: 401 not linked, 405 the client's version is too old. */
export function failure(reason: 401 | 405): BinaryNode {
  return node('failure', { reason: String(reason), location: 'simulator' });
}
