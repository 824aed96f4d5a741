import { NamePeople, type GroupDetail } from '@messaging-gateway/contracts';
import type { OperationInput, ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { findProfile } from '../views/profiles.ts';

type Shown = Static<typeof GroupDetail>;

/** How long the inbox may take: a group is worth telling without names too. */
const namesMs = 2_000;

/** The group with the names that its participants go by, as far as the organization has met them. */
export async function withNames(
  { ask, sql }: Pick<ServiceTools<unknown>, 'ask' | 'sql'>,
  { caller, context }: Pick<OperationInput<unknown>, 'caller' | 'context'>,
  profileId: string,
  group: Shown,
): Promise<Shown> {
  const { organizationId } = caller;
  const { requestId, traceparent } = context;
  const jids = group.participants.map(({ id }) => id);
  const [own, { names }] = await Promise.all([
    findProfile(sql, organizationId, profileId),
    ask(NamePeople, { organizationId, profileId, jids }, { requestId, traceparent, timeoutMs: namesMs }).catch(() => ({
      names: {} as Record<string, string>,
    })),
  ]);
  const nameOf = ({ id, phone }: Shown['participants'][number]): string =>
    (phone !== '' && phone === own?.phone_number ? own.push_name : names[id]) ?? '';
  return { ...group, participants: group.participants.map((one) => ({ ...one, pushName: nameOf(one) })) };
}
