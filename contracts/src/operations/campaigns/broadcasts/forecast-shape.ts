import { Type } from 'typebox';
import { Count, Timestamp, closed, nullable, oneOf } from '../../../shapes.ts';

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
