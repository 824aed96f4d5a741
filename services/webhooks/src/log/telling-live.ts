import {
  cloudEventSourceOf,
  type AnswerOf,
  type BodyOf,
  type EventEnvelope,
  type TellLive,
} from '@messaging-gateway/contracts';
import type { Intake } from './intake.ts';

/** Takes in what is told live, and is in no journal. Whoever tells it again tells it once. */
export async function tellLive(
  intake: Pick<Intake, 'take'>,
  { events }: BodyOf<typeof TellLive>,
): Promise<AnswerOf<typeof TellLive>> {
  await Promise.all(events.map((event) => intake.take(envelopeOf(event))));
  return { told: events.length };
}

const envelopeOf = ({
  id,
  organizationId,
  kind,
  at,
  profileId,
  data,
}: BodyOf<typeof TellLive>['events'][number]): EventEnvelope => ({
  id,
  type: kind,
  version: 1,
  source: cloudEventSourceOf('webhooks'),
  time: at,
  organizationId,
  ...(profileId !== undefined && { profileId }),
  key: id,
  sequence: '0',
  data,
});
