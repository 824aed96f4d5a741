import type { Metrics } from '@messaging-gateway/runtime';
import { Counter, Histogram } from 'prom-client';

/** Outcome for a voice note: made of other audio, taken as it is, not possible, given up in the middle, or a fault of ours. */
type VoiceNoteOutcome = 'converted' | 'passed' | 'refused' | 'broken-off' | 'failed';

export interface VoiceNoteMetrics {
  made(outcome: VoiceNoteOutcome): void;
  /** @param seconds that ffmpeg ran for one of them, however it ended */
  worked(seconds: number): void;
}

/** Up to the longest that one may take (see `voice-notes.ts`). */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45];

/** Registers the metrics; a service that is started again in the same process takes the place of the former one. */
export function voiceNoteMetrics(registry: Metrics): VoiceNoteMetrics {
  const registers = [registry];
  const [notes, work] = ['outbound_voice_notes_total', 'outbound_voice_note_conversion_seconds'] as const;
  for (const name of [notes, work]) registry.removeSingleMetric(name);
  const made = new Counter({ name: notes, help: 'Voice notes by outcome', labelNames: ['outcome'], registers });
  const worked = new Histogram({ name: work, help: 'How long ffmpeg ran for a voice note', buckets, registers });
  return { made: (outcome) => made.inc({ outcome }), worked: (seconds) => worked.observe(seconds) };
}
