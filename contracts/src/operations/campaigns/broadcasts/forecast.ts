import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Count, Timestamp, closed, nullable, oneOf } from '../../../shapes.ts';
import { broadcastErrors, broadcastParams } from './shapes.ts';

const HeldUpBy = oneOf(['delays', 'daily_limit', 'quiet_hours', 'not_connected', 'broadcasts'], {
  title: 'BroadcastHeldUpBy',
});

export const BroadcastForecast = closed(
  {
    remaining: { ...Count, description: 'Recipients whose message is still to come, or on its way' },
    endsAt: nullable({
      ...Timestamp,
      description:
        'When the last message goes out. Null: as things are that never comes, or not within ten years; `heldUpBy` says why. Of a ' +
        'broadcast that has ended, when it did.',
    }),
    days: Type.Array(
      closed(
        {
          date: Type.String({ format: 'date', description: 'Day of the daily limit, in Asia/Jakarta' }),
          messages: Count,
        },
        { title: 'BroadcastForecastDay' },
      ),
      { description: 'Days on which something is sent; they add up to `remaining` when there is an end' },
    ),
    heldUpBy: Type.Array(HeldUpBy, {
      description:
        'What makes it later: `delays` between messages, its own or those of the profile; `daily_limit`, which it reaches; `quiet_hours`, in ' +
        'which nobody who is left may be written to; `not_connected`, the profile is not, now; `broadcasts`, others of the same profile.',
    }),
  },
  { title: 'BroadcastForecast' },
);

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
