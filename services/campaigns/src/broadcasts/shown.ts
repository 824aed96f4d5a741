import type { Broadcast as BroadcastContract, BroadcastRecipient, BroadcastStats } from '@messaging-gateway/contracts';
import { erased } from '@messaging-gateway/event-sourcing';
import type { Static } from 'typebox';
import type { RecipientError } from './telling.ts';
import type { BroadcastRow } from './broadcast-records.ts';
import { hasEnded, type KnownBroadcast } from './broadcast.ts';

export type Shown = Static<typeof BroadcastContract>;
export type ShownStats = Static<typeof BroadcastStats>;
export type ShownRecipient = Static<typeof BroadcastRecipient>;

/** Counts of a variant. */
export interface VariantRow {
  readonly variant: number;
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly replied: number;
}

/** Statistics as shown. Once a broadcast has ended, the only recipients still pending are those whose message is on its way. */
export function shownStats(row: BroadcastRow, variants?: ShownStats['variants']): ShownStats {
  const { status, total, sent, failed, skipped, delivered, read, open } = row;
  const left = total - sent - failed - skipped;
  const pending = hasEnded(status) ? open : left;
  return {
    total,
    sent,
    failed,
    delivered,
    read,
    pending,
    skipped,
    cancelled: left - pending,
    ...(variants && { variants }),
    status,
  };
}

/** In the order in which they were given. */
export const shownVariants = (state: KnownBroadcast, rows: readonly VariantRow[]): ShownStats['variants'] =>
  state.facts.message.variants?.map(({ name }, number) => {
    const { sent = 0, delivered = 0, read = 0, replied = 0 } = rows.find(({ variant }) => variant === number) ?? {};
    return { name, sent, delivered, read, replied };
  });

const isoOf = (time: Date | null): string | null => time?.toISOString() ?? null;

export function shownBroadcast(row: BroadcastRow, { facts }: KnownBroadcast, stats: ShownStats): Shown {
  const isErased = typeof facts.message !== 'object';
  const { waiting, waiting_until: until } = row.status === 'running' ? row : { waiting: null, waiting_until: null };
  return {
    id: row.broadcast_id,
    profileId: row.profile_id,
    name: facts.name,
    message: isErased ? { text: erased } : facts.message,
    recipients: isErased ? { type: 'all' } : facts.recipients,
    settings: facts.settings,
    quietHours: facts.quietHours ?? null,
    status: row.status,
    pausedReason: row.paused_reason ?? waiting,
    resumesAt: isoOf(row.resumes_at ?? until),
    failedReason: row.failed_reason,
    scheduledAt: isoOf(row.scheduled_at),
    startedAt: isoOf(row.started_at),
    completedAt: isoOf(row.completed_at),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    stats,
  };
}

/** A row of `audience`. */
export interface RecipientRow {
  readonly place: number;
  readonly contact_id: string | null;
  readonly phone: string | null;
  readonly name: string | null;
  readonly status: 'pending' | 'released' | 'unknown' | 'sent' | 'failed' | 'skipped';
  readonly variant: number | null;
  readonly message_id: string;
  readonly attempts: number;
  readonly error: RecipientError | null;
}

export function shownRecipient(row: RecipientRow, isOver: boolean, variants: readonly string[]): ShownRecipient {
  const { status, variant, attempts, error } = row;
  const hasMessage = status !== 'pending' && status !== 'skipped';
  return {
    contactId: row.contact_id,
    phone: row.phone,
    name: row.name,
    status: wordOf(status, isOver),
    variant: variant === null ? null : (variants[variant] ?? null),
    messageId: hasMessage ? row.message_id : null,
    attempts,
    error,
  };
}

function wordOf(status: RecipientRow['status'], isOver: boolean): ShownRecipient['status'] {
  if (status === 'skipped') return 'cancelled';
  if (status === 'pending') return isOver ? 'cancelled' : 'pending';
  return status === 'released' || status === 'unknown' ? 'pending' : status;
}

/** How a row of `audience` stands for a word of the API. */
export function statusesOf(word: ShownRecipient['status'], isOver: boolean): readonly RecipientRow['status'][] {
  switch (word) {
    case 'pending':
      return isOver ? ['released', 'unknown'] : ['pending', 'released', 'unknown'];
    case 'cancelled':
      return isOver ? ['skipped', 'pending'] : ['skipped'];
    case 'sent':
    case 'failed':
      return [word];
  }
}
