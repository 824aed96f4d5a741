import { EraseOutboundData, ReadOutboundData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { batches } from './batches/feature.ts';
import type { OutboundSettings } from './config.ts';
import { sendGate } from './gate/feature.ts';
import { lanes } from './lanes/feature.ts';
import { messages } from './message/feature.ts';
import { oneTimeCodes } from './one-time-codes/feature.ts';
import { receipts } from './receipts/feature.ts';
import { schedules } from './schedules/feature.ts';
import { sending } from './sending/feature.ts';
import { sharedClock } from './time/clock.ts';
import { voiceNotes } from './voice-notes/feature.ts';

/** Messages going out: acceptance, the send gate, lanes, outcomes. */
export const outbound = service<OutboundSettings>('outbound', {
  clock: sharedClock,
  features: [sendGate, messages, lanes, receipts, voiceNotes, sending, schedules, batches, oneTimeCodes],
  about: ({ ffmpeg }) => ({ voiceNotes: ffmpeg === undefined ? 'ogg-opus' : 'converted' }),
  personalData: { erase: EraseOutboundData, read: ReadOutboundData },
});
