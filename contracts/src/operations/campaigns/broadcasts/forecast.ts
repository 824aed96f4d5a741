import { operation } from '../../../contract.ts';
import { BroadcastForecast } from './forecast-shape.ts';
import { broadcastErrors, broadcastParams } from './shapes.ts';

export const GetBroadcastForecast = operation({
  name: 'GetBroadcastForecast',
  owner: 'campaigns',
  method: 'GET',
  path: '/broadcast/:id/forecast',
  access: 'broadcast:read',
  tag: 'Broadcasts',
  summary: 'Forecast of a broadcast',
  means:
    'When it will have ended, and how many messages go out on which day: from its delays, those of the profile, what is left of the daily limit, ' +
    'quiet hours, and other broadcasts of the profile that run. Of a draft as if it started now, of one that is scheduled from its time on, with ' +
    'those who would get it now; of one that you have paused as if it went on now; without a connection as if it came back now. Other messages ' +
    'that the profile will send are not foreseen. 400 for a draft that has more recipients than a broadcast may have.',
  params: broadcastParams,
  timeoutMs: 90_000,
  answers: {
    200: {
      body: BroadcastForecast,
      means: 'The forecast.',
      example: {
        remaining: 1500,
        endsAt: '2026-01-03T02:40:00.000Z',
        days: [
          { date: '2026-01-01', messages: 400 },
          { date: '2026-01-02', messages: 1000 },
          { date: '2026-01-03', messages: 100 },
        ],
        heldUpBy: ['delays', 'daily_limit', 'quiet_hours'],
      },
    },
  },
  errors: broadcastErrors,
});
