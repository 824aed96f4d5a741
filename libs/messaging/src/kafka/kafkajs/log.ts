import type { Logger } from '@messaging-gateway/runtime';
import type { logCreator } from 'kafkajs';
import { logLevel } from './library.ts';

/**
 * The words of the library as debug lines: it calls every retry an error. What matters is said by the code that waits
 * for the broker.
 */
export const logOf =
  (log: Logger): logCreator =>
  () =>
  ({ namespace, level, log: { message, ...facts } }) => {
    const { error, groupId, broker, retryCount } = facts;
    log.debug(`Kafka client: ${message}`, {
      namespace,
      level: logLevel[level],
      ...(error !== undefined && { reason: String(error) }),
      ...(groupId !== undefined && { group: String(groupId) }),
      ...(broker !== undefined && { broker: String(broker) }),
      ...(retryCount !== undefined && { retryCount: Number(retryCount) }),
    });
  };
