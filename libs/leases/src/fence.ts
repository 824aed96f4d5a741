import { usualTtlMs } from './lease.ts';

/**
 * A query over the leases that still stand, for the `with` of a statement that writes on behalf of their holders:
 * `with standing as materialized (${standing('$1', '$2')}) insert … select … from … join standing using (key)`.
 * The rows stay locked until the statement is committed, so that a claim comes wholly before or wholly after it; where
 * the claim comes first, the key is missing and nothing of it is written.
 *
 * @param keys parameter of type `text[]`
 * @param epochs parameter of type `bigint[]`, in the order of the keys
 */
export const standing = (keys: string, epochs: string): string =>
  `select l.key from unnest(${keys}::text[], ${epochs}::bigint[]) as w(key, epoch)
     join leases l on l.key = w.key and l.epoch = w.epoch order by l.key for share of l`;

/**
 * A condition: no other replica that lives holds the key. For looking what could be claimed; the claim itself decides.
 *
 * @param key expression of type `text`
 * @param replica parameter with the own replica's id
 */
export const isFree = (key: string, replica: string, ttlMs = usualTtlMs): string =>
  `not exists (select from leases l join replicas r on r.id = l.replica_id where l.key = ${key} and l.replica_id <> ${replica}::uuid
     and r.heartbeat_at > clock_timestamp() - make_interval(secs => ${ttlMs / 1000}))`;

/** How long the next holder counts as on its way to a key that it was passed, milliseconds. */
const passedMs = 10_000;

/** A condition: the key was passed to this replica a moment ago, and it has not taken it yet. @param replica as above */
export const isPassed = (key: string, replica: string): string =>
  `exists (select from leases l where l.key = ${key} and l.replica_id = ${replica}::uuid
     and l.claimed_at > clock_timestamp() - make_interval(secs => ${passedMs / 1000}))`;
