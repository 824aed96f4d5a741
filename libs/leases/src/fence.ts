import { usualTtlMs } from './lease.ts';

/**
 * A query over the leases that still stand, for the `with` of a statement that writes on behalf of their holders:
 * `WITH standing AS MATERIALIZED (${standing('$1', '$2')}) INSERT … SELECT … FROM … JOIN standing USING (key)`.
 * The rows stay locked until the statement is committed, so that a claim comes wholly before or wholly after it; where
 * the claim comes first, the key is missing and nothing of it is written.
 *
 * @param keys parameter of type `text[]`
 * @param epochs parameter of type `bigint[]`, in the order of the keys
 */
export const standing = (keys: string, epochs: string): string =>
  `SELECT l.key FROM unnest(${keys}::text[], ${epochs}::bigint[]) AS w(key, epoch)
     JOIN leases l ON l.key = w.key AND l.epoch = w.epoch ORDER BY l.key FOR SHARE OF l`;

/**
 * A condition: no other replica that lives holds the key. For looking what could be claimed; the claim itself decides.
 *
 * @param key expression of type `text`
 * @param replica parameter with the own replica's id
 */
export const isFree = (key: string, replica: string, ttlMs = usualTtlMs): string =>
  `NOT EXISTS (SELECT FROM leases l JOIN replicas r ON r.id = l.replica_id WHERE l.key = ${key} AND l.replica_id <> ${replica}::uuid
     AND r.heartbeat_at > clock_timestamp() - make_interval(secs => ${ttlMs / 1000}))`;

/** How long the next holder counts as on its way to a key that it was passed, milliseconds. */
const passedMs = 10_000;

/** A condition: the key was passed to this replica a moment ago, and it has not taken it yet. @param replica as above */
export const isPassed = (key: string, replica: string): string =>
  `EXISTS (SELECT FROM leases l WHERE l.key = ${key} AND l.replica_id = ${replica}::uuid
     AND l.claimed_at > clock_timestamp() - make_interval(secs => ${passedMs / 1000}))`;
