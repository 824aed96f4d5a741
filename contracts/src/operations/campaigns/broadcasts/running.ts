import { operation } from '../../../contract.ts';
import { Timestamp, closed } from '../../../shapes.ts';
import { Broadcast, broadcastErrors, broadcastParams } from './shapes.ts';

const errors = [...broadcastErrors, 'CONFLICT'] as const;
const tag = 'Broadcasts';
const shared = { owner: 'campaigns', method: 'POST', access: 'broadcast:execute', tag, errors } as const;
const params = broadcastParams;

export const ScheduleBroadcast = operation({
  ...shared,
  name: 'ScheduleBroadcast',
  path: '/broadcast/:id/schedule',
  summary: 'Schedule a broadcast',
  means:
    'It starts by itself at `scheduledAt`, never early and at most 5 s late; one that was missed while the gateway was down starts with ' +
    'it. Of a draft, or anew of one that is scheduled; 409 later. Recipients are looked up when it starts: should there be none then, it fails.',
  params,
  body: closed({ scheduledAt: Timestamp }),
  answers: {
    200: {
      body: Broadcast,
      means: 'The broadcast, scheduled.',
    },
  },
  example: { scheduledAt: '2026-01-02T08:00:00.000Z' },
});

export const StartBroadcast = operation({
  ...shared,
  name: 'StartBroadcast',
  path: '/broadcast/:id/start',
  summary: 'Start a broadcast',
  means:
    'Fixes the recipients, each person once, and begins to send: one message at a time, `delayMin` to `delayMax` after the one before was ' +
    'settled; direct sends go in between. Nobody gets it twice, whatever stops on the way. 400 when there is nobody to send to, or when ' +
    'the template lacks values (`variables`). One that is paused goes on. It waits by itself while its profile is not connected.',
  params,
  timeoutMs: 90_000,
  answers: { 200: { body: Broadcast, means: 'The broadcast, running.' } },
});

export const PauseBroadcast = operation({
  ...shared,
  name: 'PauseBroadcast',
  path: '/broadcast/:id/pause',
  summary: 'Pause a broadcast',
  means:
    'Nothing more is sent until it is resumed, but for the one message that is on its way already. One that waits for the daily limit ' +
    'then waits for you.',
  params,
  answers: {
    200: {
      body: Broadcast,
      means: 'The broadcast, paused.',
    },
  },
});

export const ResumeBroadcast = operation({
  ...shared,
  name: 'ResumeBroadcast',
  path: '/broadcast/:id/resume',
  summary: 'Resume a broadcast',
  means: 'It goes on where it was. At the daily limit it pauses again by itself.',
  params,
  answers: { 200: { body: Broadcast, means: 'The broadcast, running.' } },
});

export const CancelBroadcast = operation({
  ...shared,
  name: 'CancelBroadcast',
  path: '/broadcast/:id/cancel',
  summary: 'Cancel a broadcast',
  means:
    'For good: whoever has not got it will not get it, but for the one message that is on its way already. 409 once it has ended.',
  params,
  answers: {
    200: {
      body: Broadcast,
      means: 'The broadcast, cancelled.',
    },
  },
});
